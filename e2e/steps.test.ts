import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { agents } from '@gantry/contract/agents/agents'
import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { teams } from '@gantry/contract/teams/teams'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { isFull } from '../apps/server/test/full.ts'
import { ended, logOf, outcome, patient, runBuild } from './builds.ts'
import type { Caller } from './caller.ts'
import { newUser, startProduct, type Product } from './product.ts'

/** What a step can reach, and how much it can log, in the whole product as it is started. */

const namespaces = process.getuid?.() === 0 ? ['--mount', '--pid', '--fork'] : ['--user', '--map-root-user', '--mount']
const isolates = spawnSync('unshare', [...namespaces, 'true']).status === 0

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product?.stop())

async function newTeam(name: string): Promise<{ leader: Caller; appId: number }> {
  const { id: teamId } = await product.admin.call(teams.create, { body: { name } })
  const leader = await newUser(product, `${name}-lead`, { teamId, roleId: 'leader' })
  const { id: appId } = await leader.call(groups.create, { params: { teamId }, body: { name } })
  return { leader, appId }
}

async function scriptOf(leader: Caller, appId: number, projectName: string, run: string, secret = ''): Promise<number> {
  const { id } = await leader.call(definitions.create, {
    body: {
      appId,
      projectName,
      definition: { stages: [{ name: 'all', steps: [{ type: 'script', name: 'script', run }] }] },
      variables: secret === '' ? [] : [{ name: 'SECRET', value: secret, secret: true }],
    },
  })
  return id
}

/** Processes of this machine that were started with this argument. */
const processesWith = (argument: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(argument)
    } catch {
      return false
    }
  })

const rooms = (): string[] => readdirSync(join(product.data, 'agent/builds')).filter((name) => !name.startsWith('gone'))

test.skipIf(!isolates)(
  'a step gets nothing from the installation, the database and another team’s build, and leaves nothing behind (needs unshare)',
  async () => {
    const { data, admin } = product
    // the agent reports itself with its first call, a moment after the server is ready
    await eventually(
      () => admin.call(agents.list),
      ([agent]) => agent?.isolated === true,
      patient,
    )
    const secret = `secret-${randomBytes(8).toString('hex')}`
    const left = `40${randomBytes(3).readUIntBE(0, 3)}`

    const victim = await newTeam('victim')
    const victimId = await scriptOf(
      victim.leader,
      victim.appId,
      'victim',
      `for place in . "$HOME" /tmp /dev/shm; do echo "$SECRET" > "$place/treasure"; chmod 644 "$place/treasure"; done
      echo up; sleep 300`,
      secret,
    )
    const { number } = await victim.leader.call(builds.trigger, { params: { id: victimId }, body: {} })
    const building = () => victim.leader.call(builds.get, { params: { id: victimId, number } })
    await eventually(building, ({ stages }) => stages[0]?.steps[0]?.logLines === 1, patient)

    const files = ['secret-key', 'agent-token', 'admin-password', 'postgres/password', 'sandbox/kubeconfig']
    const thief = await newTeam('thief')
    const thiefId = await scriptOf(
      thief.leader,
      thief.appId,
      'thief',
      `set +e
      cat ${files.map((file) => join(data, file)).join(' ')} ${data}/postgres/18/global/*
      ls -RA ${data}
      for pid in /proc/[0-9]*; do cat $pid/environ | tr '\\0' '\\n'; ls -A $pid/cwd/; cat $pid/root${data}/secret-key; done
      cat /proc/${product.pid('server')}/environ /proc/${product.pid('agent')}/environ
      find / -xdev -name node_modules -prune -o \\( -name treasure -o -name secret-key -o -name postmaster.pid -o -name '.s.PGSQL*' \\) -exec cat {} +
      kill -9 ${product.pid('server')} ${product.pid('agent')} ${product.pid('postgres')}
      setsid sleep ${left} < /dev/null > /dev/null 2>&1 &
      (trap '' TERM HUP INT; setsid sh -c "trap '' TERM HUP INT; sleep ${left}; true" &) &
      sleep 0.2
      echo done`,
    )
    const parts = (['server', 'agent', 'postgres'] as const).map((part) => product.pid(part))
    const build = await runBuild(thief.leader, thiefId)
    expect(outcome(build)).toMatchObject({ state: 'success' })
    const log = (await logOf(thief.leader, thiefId, build, 'script')).join('\n')
    expect(log).toMatch(/done$/)
    const treasures = files
      .filter((file) => existsSync(join(data, file)))
      .map((file) => readFileSync(join(data, file), 'utf8'))
    expect(treasures.length).toBeGreaterThanOrEqual(3)
    for (const treasure of [secret, ...treasures]) expect(log).not.toContain(treasure.trim())
    expect(log).not.toMatch(/DATABASE_URL|GANTRY_AGENT_TOKEN_FILE|PG_VERSION|pg_hba/)

    expect((['server', 'agent', 'postgres'] as const).map((part) => product.pid(part))).toEqual(parts)
    expect(processesWith(left)).toEqual([])
    expect(rooms()).toHaveLength(1)
    await victim.leader.call(builds.stop, { params: { id: victimId, number } })
    expect(await ended(victim.leader, victimId, number)).toMatchObject({ state: 'aborted' })
    await eventually(rooms, (left) => left.length === 0, patient)
  },
)

/** TCP ports on which these processes listen. */
function portsOf(pids: number[]): number[] {
  const inodes = new Set(
    pids.flatMap((pid) =>
      readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
        try {
          return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
        } catch {
          return []
        }
      }),
    ),
  )
  const listening = '0A'
  const lines = ['tcp', 'tcp6'].flatMap((file) => readFileSync(`/proc/net/${file}`, 'utf8').split('\n').slice(1))
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/ +/)
    return state === listening && inodes.has(inode) ? Number.parseInt(local.split(':')[1] ?? '', 16) : []
  })
}

const reaches = (host: string, port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect({ host, port })
    socket.once('connect', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })

test.skipIf(!isolates)(
  'a step reaches no port of the product: neither calls nor metrics, sandbox, registry or database (needs unshare)',
  async () => {
    const { admin } = product
    await eventually(
      () => admin.call(agents.list),
      ([agent]) => agent?.isolated === true,
      patient,
    )
    const parts = (['server', 'agent', 'sandbox', 'postgres'] as const).map((part) => product.pid(part))
    const ports = portsOf(parts)
    const registry = Number(readFileSync(join(product.data, 'run/sandbox-registry-port'), 'utf8'))
    for (const known of [Number(new URL(product.url).port), registry]) expect(ports).toContain(known)
    for (const port of ports) expect(await reaches('127.0.0.1', port)).toBe(true)
    const addresses = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address))
    const gateway = "$(ip route 2> /dev/null | sed -n 's/default via \\([^ ]*\\).*/\\1/p')"
    const { leader, appId } = await newTeam('caller')
    const id = await scriptOf(
      leader,
      appId,
      'caller',
      `cat > knock <<'END'
for host in 127.0.0.1 localhost ${addresses.join(' ')} ${gateway}; do for port in ${ports.join(' ')}; do
  (timeout 5 bash -c "exec 3<> '/dev/tcp/$host/$port'" 2> /dev/null && echo "open: $host $port") &
done; done
wait
END
bash knock
cat > ask <<'END'
ask() {
  exec 3<> "/dev/tcp/127.0.0.1/$1"
  printf "GET $2 HTTP/1.0\\r\\n\\r\\n" >&3
  head -1 <&3 | tr -d '\\r'
}
ask ${registry} /v2/
for path in metrics readyz api/docs api/users/login; do ask 800 ${product.url}/$path; done
END
bash ask`,
    )
    const build = await runBuild(leader, id)
    expect(outcome(build)).toMatchObject({ state: 'success' })
    const log = await logOf(leader, id, build, 'script')
    // only its registry is reachable, at the machine's own address
    const open = log.filter((line) => line.startsWith('open: '))
    expect(open.filter((line) => !/ (127\.0\.0\.1|localhost) /.test(line) || !line.endsWith(` ${registry}`))).toEqual(
      [],
    )
    const forbidden = 'HTTP/1.1 403 Forbidden'
    const answers = ['HTTP/1.1 401 Unauthorized', forbidden, forbidden, forbidden, forbidden]
    expect(log.slice(open.length)).toEqual(answers)
  },
)

/** Bytes that a process has read so far, from files and from sockets. */
const bytesRead = (pid: number): number => Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])

/** Megabytes of memory that a process has now (`VmRSS`), or had at most (`VmHWM`). */
const memoryOf = (pid: number, what: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024
}

/** Sizes of the finished logs, which are files that end with their own magic number. */
const packedLogs = (): number[] =>
  readdirSync(join(product.data, 'blobs'), { recursive: true, withFileTypes: true })
    // incoming files may be deleted before they are read
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('/incoming'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
    .filter((bytes) => bytes.subarray(-48).includes('GTRYLOG'))
    .map((bytes) => bytes.length)

test.runIf(isFull && process.platform === 'linux')(
  'a log of a million lines is complete when its build ends, and its end is read without the rest',
  async () => {
    const count = 1_000_000
    const { leader, appId } = await newTeam('writer')
    // nearly random, so that it does not compress well
    const write = `awk 'BEGIN { srand(1); for (n = 1; n <= ${count}; n++) printf "%d %.12f %.12f\\n", n, rand(), rand() }'`
    const id = await scriptOf(leader, appId, 'writer', write)
    const pid = product.pid('server')
    const before = memoryOf(pid, 'VmRSS')
    // resets the peak
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    const build = await runBuild(leader, id)
    expect(outcome(build)).toMatchObject({ state: 'success' })

    const params = { id, stage: 'all', number: build.number }
    const last = () => leader.call(builds.log, { params, query: { offset: -1, limit: 100 } })
    const page = await last()
    expect(page).toMatchObject({ total: count, complete: true, truncated: false })
    expect(page.lines.map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, at) => count - 100 + at))
    expect(page.lines.at(-1)?.text).toMatch(new RegExp(`^${count} `))

    // once it is compressed, and nothing else runs, its end is read without the rest
    const size = await eventually(
      () => packedLogs().find((bytes) => bytes > 10_000_000),
      (bytes) => bytes !== undefined,
      patient,
    )
    await eventually(
      async () => {
        const before = bytesRead(pid)
        expect((await last()).lines).toEqual(page.lines)
        return bytesRead(pid) - before
      },
      (bytes) => bytes < size / 10,
      patient,
    )

    const whole = await leader.raw(builds.logFile, { params: { id, number: build.number, step: 0 } })
    const lines = (await whole.text()).split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.findIndex((line, at) => !line.startsWith(`${at + 1} `))).toBe(-1)
    expect(lines).toHaveLength(count)

    expect(memoryOf(pid, 'VmHWM') - before).toBeLessThan(160)
  },
)
