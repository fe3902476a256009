import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectScript, keyFile, knownAs, sshConfig } from '@gantry/agent-protocol/git-ssh'
import { readSshUrl } from '@gantry/contract/pipelines/repository-url'
import { Fault } from '../../kernel/fault.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { HostKey, Repository, Source } from './source.ts'

/** The first entry of known hosts; undefined if there is none. */
export function hostKeyOf(knownHosts: string): HostKey | undefined {
  const line = knownHosts.split(/\r?\n/).find((one) => one.trim() !== '')
  const [, type, key] = line?.trim().split(/\s+/) ?? []
  if (!line || type === undefined || key === undefined) return undefined
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64').replace(/=+$/, '')
  return { type, fingerprint: `SHA256:${digest}`, knownHosts: line.trim() }
}

/**
 * A repository over SSH. The name is resolved and checked like that of any URL that a user enters, and ssh connects to
 * the address that was checked.
 */
export async function sshSource(
  { url, privateKey, knownHosts }: Extract<Repository, { kind: 'ssh' }>,
  outbound: Outbound,
): Promise<Source> {
  const at = readSshUrl(url)
  if (!at) throw new Fault('invalid', 'git-url-invalid')
  const name = at.host.includes(':') ? `[${at.host}]` : at.host
  const pinned = await outbound.admit(`https://${name}:${at.port}/`).catch((error: unknown) => {
    // a name that only the proxy can resolve is left to the proxy
    if (outbound.proxy !== undefined && error instanceof Fault && error.key === 'outbound-unknown-host')
      return undefined
    throw error
  })
  const proxy =
    outbound.proxy !== undefined && (pinned === undefined || outbound.reach(pinned) === 'public')
      ? new URL(outbound.proxy)
      : undefined
  let presented: HostKey | undefined
  const prepare = async (home: string): Promise<string> => {
    const write = async (file: string, text: string): Promise<string> => {
      await writeFile(join(home, file), text, { mode: 0o600 })
      return join(home, file)
    }
    return write(
      'ssh-config',
      sshConfig({
        alias: knownAs(at),
        address: pinned?.address,
        knownHosts: await write('known-hosts', knownHosts === '' ? '' : `${knownHosts}\n`),
        key: privateKey === '' ? undefined : await write('ssh-key', keyFile(privateKey)),
        proxy: proxy && (await write('ssh-proxy', connectScript(proxyOf(proxy), `${name}:${at.port}`))),
        learn: knownHosts === '',
      }),
    )
  }
  const ended = async (home: string): Promise<void> => {
    presented = hostKeyOf(await readFile(join(home, 'known-hosts'), 'utf8'))
  }
  return {
    target: url,
    host: name,
    withPassword: privateKey !== '',
    protocols: 'ssh',
    config: {},
    ssh: { prepare, ended, presented: () => presented },
  }
}

function proxyOf({ hostname, port, username, password }: URL) {
  const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || 80),
    ...(username !== '' && { authorization: `Basic ${basic}` }),
  }
}
