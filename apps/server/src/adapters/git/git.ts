import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { Fault } from '../../kernel/fault.ts'
import { keyedSemaphore } from '../../kernel/concurrency/keyed-semaphore.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { literalOf } from '../outbound/address.ts'
import type { Reading } from './commit.ts'
import { type CommitFile, readFileOf } from './file.ts'
import { type CommitTree, readTreeOf } from './tree.ts'
import { gitFault, parseRefs, type RepositoryRefs } from './refs.ts'
import { runGit, type GitEnd } from './run.ts'
import type { HostKey, Repository, Source } from './source.ts'
import { sshSource } from './ssh.ts'
import { isRefName, readRepositoryUrl } from './url.ts'

export interface GitSettings {
  /** The value of PATH in which `git` is searched. */
  path: string
  outbound: Outbound
  /** The only folder from which repositories are read by path: those of the product's sample. */
  localFolder?: string | undefined
  /**
   * The URL prefix, ending in a slash, of the repositories that the product itself serves. They are exempt from the
   * address rules, because git requests nothing outside of the prefix.
   */
  own?: string | undefined
  /** Milliseconds for reading the refs of a repository. Default: 20,000. */
  timeout?: number
  /** Milliseconds for reading a file of a repository. Default: 45,000. */
  fileTimeout?: number
}

export interface ResolvedRef {
  name: string
  kind: 'branch' | 'tag'
  commit: string
}

/** The refs of a repository, and over SSH the host key that the server presented. */
export interface CheckedRepository extends RepositoryRefs {
  hostKey?: HostKey | undefined
}

export interface WantedFile {
  path: string
  /** A ref is the branch with this name, or else the tag. */
  at: { commit: string } | { ref: string } | { tag: string }
}

export interface Git {
  /**
   * Reads the branches and tags of the repository, within 20 s. Over SSH, any host key is accepted if no known hosts
   * are given; otherwise it must be one of them. Faults name the cause: `git-not-found`, `git-wrong-password`,
   * `git-password-needed`, `git-forbidden`, `git-no-repository`, `git-moved`, `git-url-…`, `git-missing`, and the
   * `outbound-…` ones.
   */
  check(repository: Repository, signal?: AbortSignal): Promise<CheckedRepository>
  /**
   * The commit of the branch with this name, or else of the tag; '' is the default branch. Throws `git-branch-unknown`.
   */
  resolve(repository: Repository, name: string, signal?: AbortSignal): Promise<ResolvedRef>
  /**
   * A text file of at most 256 KiB, from a commit, or from the head of a branch, of a tag or, for '', of the default
   * branch; within 45 s. Also throws `git-commit-unknown`, `git-file-…` and `git-repository-too-large`.
   */
  readFile(repository: Repository, wanted: WantedFile, signal?: AbortSignal): Promise<CommitFile>
  /**
   * The names of a commit's files, and the texts of at most 24 small ones that `choose` selects by name; within 45 s.
   * Throws the same as readFile.
   */
  readTree(
    repository: Repository,
    commit: string,
    choose: (files: readonly string[]) => readonly string[],
    signal?: AbortSignal,
  ): Promise<CommitTree>
  /** The version of the installed git; throws `git-missing` or `git-too-old`. */
  version(): Promise<string>
}

interface Resolving {
  signal?: AbortSignal | undefined
  /** Considers only tags. */
  isTag?: boolean
}

/** How many files are read at the same time. */
const filesAtOnce = 8

const maxBytes = 32 * 1_048_576
/** The first version with http.curloptResolve, which makes git connect to the address that was checked. */
const oldest = [2, 37]

export function createGit(settings: GitSettings): Git {
  let known: Promise<string> | undefined
  const version = (): Promise<string> => {
    known ??= readVersion(settings.path)
    // a failure is not cached: git may be installed while the server runs
    known.catch(() => (known = undefined))
    return known
  }

  async function listed(repository: Repository, names: string[], signal?: AbortSignal): Promise<CheckedRepository> {
    await version()
    const where = await sourceOf(repository)
    const end = await runGit(settings.path, {
      args: ['ls-remote', '--symref', '--end-of-options', where.target, ...names],
      config: where.config,
      protocols: where.protocols,
      timeout: settings.timeout ?? 20_000,
      maxBytes,
      ca: settings.outbound.ca,
      ssh: where.ssh?.prepare,
      ended: where.ssh?.ended,
      ...(signal && { signal }),
    })
    try {
      return { ...parseRefs(succeeded(end, where).toString('utf8')), hostKey: where.ssh?.presented() }
    } catch (error) {
      throw await sharper(error, where.target)
    }
  }

  const sharper = (error: unknown, target: string) => sharpened(error, target, settings.outbound)

  function sourceOf(repository: Repository): Promise<Source> {
    switch (repository.kind) {
      case 'local':
        return localSource(repository.path, settings)
      case 'ssh':
        return sshSource(repository, settings.outbound)
      case 'remote':
        return remote(repository, settings.outbound, settings.own)
    }
  }

  async function resolved(
    repository: Repository,
    name: string,
    { signal, isTag = false }: Resolving = {},
  ): Promise<ResolvedRef> {
    if (name !== '' && !isRefName(name)) throw new Fault('invalid', 'git-branch-invalid')
    const wanted = name === '' ? ['refs/heads/*'] : [`refs/heads/${name}`, `refs/tags/${name}`, `refs/tags/${name}^{}`]
    const refs = await listed(repository, ['HEAD', ...wanted], signal)
    const chosen = name === '' ? refs.head : name
    if (chosen === null) throw new Fault('invalid', 'git-empty')
    const branch = isTag ? undefined : refs.branches.find((ref) => ref.name === chosen)
    if (branch !== undefined) return { ...branch, kind: 'branch' }
    const tag = refs.tags.find((ref) => ref.name === chosen)
    if (tag !== undefined) return { ...tag, kind: 'tag' }
    throw new Fault('invalid', 'git-branch-unknown', { branch: chosen })
  }

  /** Reads from a repository once fewer than `filesAtOnce` others are read. */
  async function reading<T>(
    repository: Repository,
    read: (from: Reading) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { outbound } = settings
    const over = await turn('file', signal ?? new AbortController().signal)
    try {
      await version()
      const where = await sourceOf(repository)
      const from = { path: settings.path, where, ca: outbound.ca, signal, timeout: settings.fileTimeout ?? 45_000 }
      return await read(from).catch(async (error: unknown) => {
        throw await sharper(error, where.target)
      })
    } finally {
      over()
    }
  }

  const turn = keyedSemaphore(filesAtOnce)

  return {
    version,
    check: (repository, signal) => listed(repository, ['HEAD', 'refs/heads/*', 'refs/tags/*'], signal),
    resolve: (repository, name, signal) => resolved(repository, name, { signal }),
    readFile: (repository, { path, at }, signal) =>
      reading(
        repository,
        async (from) => {
          const { commit } =
            'commit' in at
              ? at
              : await resolved(repository, 'tag' in at ? at.tag : at.ref, {
                  signal: from.signal,
                  isTag: 'tag' in at,
                })
          return readFileOf(from, commit, path)
        },
        signal,
      ),
    readTree: (repository, commit, choose, signal) =>
      reading(repository, (from) => readTreeOf(from, commit, choose), signal),
  }
}

async function remote(
  repository: Repository & { kind: 'remote' },
  outbound: Outbound,
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
  // the URL is already normalized, so no `..` leads out of it
  if (own !== undefined && url.href.startsWith(own)) return source
  const pinned = await outbound.admit(url).catch((error: unknown) => {
    // a name that only the proxy can resolve is left to the proxy
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
  if (end.end !== 'exit') throw new Fault('badGateway', 'git-too-many-refs')
  if (end.code !== 0) throw gitFault(end.stderr, host, target, withPassword)
  return end.stdout
}

/**
 * git's text about a certificate depends on its TLS library, and may not name the cause: the outbound client finds it.
 */
async function sharpened(error: unknown, target: string, outbound: Outbound): Promise<unknown> {
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
