import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { Fault } from '../../kernel/fault.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { literalOf } from '../outbound/address.ts'
import { discreetly, type Reached } from '../outbound/discreet.ts'
import { gitFault, parseRefs, type RepositoryRefs } from './refs.ts'
import { runGit, type GitEnd } from './run.ts'
import { isRefName, readRepositoryUrl } from './url.ts'

export interface GitSettings {
  /** Where `git` is searched: the value of PATH. */
  path: string
  outbound: Outbound
  /** The only folder whose repositories the product itself may name by path: those of its sample. */
  localFolder?: string | undefined
  /**
   * The URL prefix, up to a slash, of the repositories that the product itself serves: exempt from the address rules,
   * because git requests nothing outside of it.
   */
  own?: string | undefined
  /** Milliseconds within which a repository has to answer. Default: 20,000. */
  timeout?: number
  /** Milliseconds after which a discreet check of an internal address ends. */
  insideMs?: number
}

/** `local` is for the product itself; no user input becomes one. */
export type Repository =
  | { kind: 'remote'; url: string; username?: string | undefined; password?: string | undefined }
  | { kind: 'local'; path: string }

export interface ResolvedRef {
  name: string
  kind: 'branch' | 'tag'
  commit: string
}

export interface Git {
  /**
   * Reads the branches and tags of the repository, within 20 s. Faults name the cause: `git-not-found`,
   * `git-wrong-password`, `git-password-needed`, `git-forbidden`, `git-no-repository`, `git-moved`, `git-url-…`,
   * `git-missing`, and the `outbound-…` ones. `discreet`, for non-administrators: an internal address only reveals what
   * its host says about passwords, and every other failure is `outbound-inside`.
   */
  check(repository: Repository, signal?: AbortSignal, discreet?: boolean): Promise<RepositoryRefs>
  /**
   * The commit of the branch, else of the tag, with this name; the default branch for ''. Throws `git-branch-unknown`.
   */
  resolve(repository: Repository, name: string, signal?: AbortSignal): Promise<ResolvedRef>
  /** The version of the installed git; throws `git-missing` or `git-too-old`. */
  version(): Promise<string>
}

const maxBytes = 32 * 1_048_576
/** The first with http.curloptResolve, which makes git connect to the address that was checked. */
const oldest = [2, 37]

export function createGit(settings: GitSettings): Git {
  let known: Promise<string> | undefined
  const version = (): Promise<string> => {
    known ??= readVersion(settings.path)
    // A failure is not cached: git may be installed while the server runs.
    known.catch(() => (known = undefined))
    return known
  }

  async function listed(
    repository: Repository,
    names: string[],
    signal?: AbortSignal,
    outbound: Reached = settings.outbound,
  ): Promise<RepositoryRefs> {
    await version()
    const where =
      repository.kind === 'local'
        ? await localSource(repository.path, settings)
        : await remote(repository, outbound, settings.own)
    const end = await runGit(settings.path, {
      args: ['ls-remote', '--symref', '--end-of-options', where.target, ...names],
      config: where.config,
      protocols: where.protocols,
      timeout: settings.timeout ?? 20_000,
      maxBytes,
      ca: outbound.ca,
      ...(signal && { signal }),
    })
    try {
      return parseRefs(succeeded(end, where).toString('utf8'))
    } catch (error) {
      throw await sharper(error, where.target, outbound)
    }
  }

  return {
    version,
    check(repository, signal, discreet = false) {
      const names = ['HEAD', 'refs/heads/*', 'refs/tags/*']
      if (!discreet || repository.kind === 'local') return listed(repository, names, signal)
      const discretion = {
        host: URL.parse(repository.url)?.host ?? '',
        told: ['git-wrong-password', 'git-password-needed'],
        ms: settings.insideMs,
        signal,
      } as const
      return discreetly(settings.outbound, discretion, (by, until) => listed(repository, names, until, by))
    },
    async resolve(repository, name, signal) {
      if (name !== '' && !isRefName(name)) throw new Fault('invalid', 'git-branch-invalid')
      const wanted =
        name === '' ? ['refs/heads/*'] : [`refs/heads/${name}`, `refs/tags/${name}`, `refs/tags/${name}^{}`]
      const refs = await listed(repository, ['HEAD', ...wanted], signal)
      const chosen = name === '' ? refs.head : name
      if (chosen === null) throw new Fault('invalid', 'git-empty')
      const branch = refs.branches.find((ref) => ref.name === chosen)
      if (branch !== undefined) return { ...branch, kind: 'branch' }
      const tag = refs.tags.find((ref) => ref.name === chosen)
      if (tag !== undefined) return { ...tag, kind: 'tag' }
      throw new Fault('invalid', 'git-branch-unknown', { branch: chosen })
    },
  }
}

interface Source {
  target: string
  host: string
  withPassword: boolean
  protocols: 'http:https' | 'file'
  config: Record<string, string>
}

async function remote(
  repository: Repository & { kind: 'remote' },
  outbound: Reached,
  own: string | undefined,
): Promise<Source> {
  const url = readRepositoryUrl(repository.url)
  const { username, password } = repository
  if (/[\r\n\0]/.test(`${username}${password}`)) throw new Fault('invalid', 'git-wrong-password', { host: url.host })
  const config: Record<string, string> = {}
  const withPassword = Boolean(username) || Boolean(password)
  if (withPassword) {
    const basic = Buffer.from(`${username || 'git'}:${password ?? ''}`).toString('base64')
    config[`http.${url.origin}/.extraHeader`] = `Authorization: Basic ${basic}`
  }
  const source = { target: url.href, host: url.host, withPassword, protocols: 'http:https', config } as const
  // the URL is normalized by now, so no `..` leads out of it
  if (own !== undefined && url.href.startsWith(own)) return source
  const pinned = await outbound.admit(url).catch((error: unknown) => {
    // A name that only the proxy can resolve is left to the proxy.
    if (outbound.proxy !== undefined && error instanceof Fault && error.key === 'outbound-unknown-host')
      return undefined
    throw error
  })
  if (outbound.proxy !== undefined && (pinned === undefined || outbound.reach(pinned) === 'public')) {
    config['http.proxy'] = outbound.proxy
  } else if (pinned !== undefined && literalOf(url) === undefined) {
    const port = url.port || (url.protocol === 'https:' ? '443' : '80')
    const addresses = pinned.addresses.map(({ address }) => (address.includes(':') ? `[${address}]` : address))
    config['http.curloptResolve'] = `${url.hostname}:${port}:${addresses.join(',')}`
  }
  return source
}

async function localSource(path: string, { localFolder }: GitSettings): Promise<Source> {
  const refused = (): Fault => new Fault('invalid', 'git-url-invalid')
  if (localFolder === undefined) throw refused()
  const [folder, target] = await Promise.all([realpath(localFolder), realpath(path)]).catch(() => {
    throw new Fault('invalid', 'git-not-found', { host: '', url: path })
  })
  if (!target.startsWith(folder + sep)) throw refused()
  return { target, host: '', withPassword: false, protocols: 'file', config: {} }
}

function succeeded(end: GitEnd, { host, target, withPassword }: Source): Buffer {
  if (end.end === 'timeout') throw new Fault('badGateway', 'outbound-timeout', { host })
  if (end.end === 'too-large') throw new Fault('badGateway', 'git-too-many-refs')
  if (end.code !== 0) throw gitFault(end.stderr, host, target, withPassword)
  return end.stdout
}

/**
 * git's text about a certificate depends on its TLS library, and may say nothing: the outbound client finds the cause.
 */
async function sharper(error: unknown, target: string, outbound: Reached): Promise<unknown> {
  if (!(error instanceof Fault) || !error.key.startsWith('outbound-tls')) return error
  try {
    const { body } = await outbound.request({ url: target, method: 'HEAD', timeout: 5000, redirect: 'manual' })
    body.destroy()
    return error
  } catch (seen) {
    return seen instanceof Fault && seen.key.startsWith('outbound-tls') ? seen : error
  }
}

async function readVersion(path: string): Promise<string> {
  const end = await runGit(path, { args: ['version'], timeout: 5000, maxBytes: 10_000 })
  const found = end.end === 'exit' ? /(\d+)\.(\d+)[\d.]*/.exec(end.stdout.toString()) : null
  if (found === null) throw new Fault('unavailable', 'git-missing')
  const [major = 0, minor = 0] = found.slice(1).map(Number)
  if (major < (oldest[0] ?? 0) || (major === oldest[0] && minor < (oldest[1] ?? 0))) {
    throw new Fault('unavailable', 'git-too-old', { version: found[0], needed: oldest.join('.') })
  }
  return found[0]
}
