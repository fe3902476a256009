import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '@gantry/waiting/eventually'
import { labService } from './lab.ts'

/** A real directory for a test: OpenLDAP's slapd, which the lab installs. */
export interface Slapd {
  url: string
  tlsUrl: string
  base: string
  /** Applies LDIF as the directory's administrator: entries to add, or changes with a changetype. */
  change: (ldif: string) => void
  /** Resolves once it is stopped: it accepts connections, because the kernel does, but never answers. */
  freeze: () => Promise<void>
  thaw: () => void
  stop: () => Promise<void>
  start: () => Promise<void>
  /** Stops it for good. */
  end: () => Promise<void>
}

interface Wanted {
  /** A certificate from ./certificates. */
  certificate?: 'server' | 'other' | 'expired'
  /** Lines to append to slapd.conf. */
  more?: string
  sizeLimit?: number
}

const base = 'dc=test'
const certificates = join(import.meta.dirname, 'certificates')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

/** The states of a process's threads, as proc(5) names them: T is stopped. */
const statesOf = (pid = 0): (string | undefined)[] =>
  readdirSync(`/proc/${pid}/task`).map(
    (thread) => /^.*\) (\w)/s.exec(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8'))?.[1],
  )

/** Debian's folder for slapd's modules. */
const modules = '/usr/lib/ldap'

export const slapdThere = (): boolean => labService('ldap') !== undefined && existsSync('/usr/sbin/slapd')

export async function startSlapd({ certificate = 'server', more = '', sizeLimit = 500 }: Wanted = {}): Promise<Slapd> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-slapd-'))
  mkdirSync(join(folder, 'data'))
  let url = ''
  let tlsUrl = ''
  const schema = ['core', 'cosine', 'inetorgperson', 'nis'].map((name) => `include /etc/ldap/schema/${name}.schema`)
  writeFileSync(
    join(folder, 'slapd.conf'),
    [
      ...schema,
      `modulepath ${modules}`,
      ...['back_mdb', 'memberof', 'ppolicy'].map((name) => `moduleload ${name}`),
      `TLSCACertificateFile ${join(certificates, 'ca.pem')}`,
      `TLSCertificateFile ${join(certificates, `${certificate}.pem`)}`,
      `TLSCertificateKeyFile ${join(certificates, `${certificate}-key.pem`)}`,
      `sizelimit ${sizeLimit}`,
      'database mdb',
      `suffix "${base}"`,
      `rootdn "cn=admin,${base}"`,
      'rootpw admin-secret',
      `directory ${join(folder, 'data')}`,
      'dbnosync',
      'overlay memberof',
      'overlay ppolicy',
      'access to attrs=userPassword by anonymous auth by * none',
      `access to * by dn.exact="cn=reader,${base}" read by * none`,
      more,
      '',
    ].join('\n'),
  )
  let child: ChildProcess | undefined
  const ask = (tool: string, args: string[], input = ''): string =>
    execFileSync(tool, ['-x', '-H', url, ...args], {
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: 20_000,
    })

  /** Starts it at a given URL; throws its output if it exits instead. */
  async function start(): Promise<void> {
    const started = spawn('/usr/sbin/slapd', ['-d', '0', '-f', join(folder, 'slapd.conf'), '-h', `${url} ${tlsUrl}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child = started
    let said = ''
    started.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    while (started.exitCode === null && started.signalCode === null) {
      try {
        ask('ldapsearch', ['-s', 'base', '-b', '', '1.1'])
        return
      } catch {
        await sleep(50)
      }
    }
    throw new Error(`slapd did not start: ${said}`)
  }

  /** slapd cannot report its port, so it is chosen before; another process may take it meanwhile. */
  async function startSomewhere(): Promise<void> {
    for (let again = 4; ; again -= 1)
      try {
        url = `ldap://127.0.0.1:${await freePort()}`
        tlsUrl = `ldaps://127.0.0.1:${await freePort()}`
        return await start()
      } catch (error) {
        if (again === 0) throw error
      }
  }
  const ended = (): Promise<void> =>
    new Promise((resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return resolve()
      child.once('exit', () => resolve())
      child.kill('SIGCONT')
      child.kill('SIGTERM')
    })

  await startSomewhere()
  const change = (ldif: string): void => {
    ask('ldapmodify', ['-a', '-D', `cn=admin,${base}`, '-w', 'admin-secret'], ldif)
  }
  change(
    [
      entry(base, { objectClass: ['dcObject', 'organization'], o: 'Test', dc: 'test' }),
      entry(`cn=reader,${base}`, {
        objectClass: ['applicationProcess', 'simpleSecurityObject'],
        cn: 'reader',
        userPassword: 'reader-secret',
      }),
      entry(`ou=people,${base}`, { objectClass: 'organizationalUnit', ou: 'people' }),
      entry(`ou=groups,${base}`, { objectClass: 'organizationalUnit', ou: 'groups' }),
    ].join('\n'),
  )
  return {
    url,
    tlsUrl,
    base,
    change,
    async freeze() {
      child?.kill('SIGSTOP')
      // on a busy machine its threads answer for a while before the signal reaches them
      await eventually(
        () => statesOf(child?.pid),
        (states) => states.every((state) => state === 'T'),
      )
    },
    thaw: () => child?.kill('SIGCONT'),
    start,
    stop: ended,
    async end() {
      await ended()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** An entry in LDIF, with values in base64, so that any text is possible. */
export function entry(dn: string, attributes: Record<string, string | string[]>): string {
  const coded = (text: string): string => `: ${Buffer.from(text).toString('base64')}`
  const lines = Object.entries(attributes).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}:${coded(value)}`),
  )
  return [`dn:${coded(dn)}`, ...lines, ''].join('\n')
}

/** A person in ou=people with the password `pass-<uid>`. */
export const person = (uid: string, more: Record<string, string | string[]> = {}): string =>
  entry(`uid=${uid},ou=people,${base}`, {
    objectClass: 'inetOrgPerson',
    uid,
    cn: `User ${uid}`,
    sn: uid,
    mail: `${uid}@example.test`,
    userPassword: `pass-${uid}`,
    ...more,
  })

export const group = (name: string, uids: string[]): string =>
  entry(`cn=${name},ou=groups,${base}`, {
    objectClass: 'groupOfNames',
    cn: name,
    member: uids.map((uid) => `uid=${uid},ou=people,${base}`),
  })
