import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '../../kernel/fault.ts'
import { gitFault } from './refs.ts'
import { type GitEnd, runGit } from './run.ts'
import type { Source } from './source.ts'

export interface Reading {
  /** The value of PATH in which `git` is searched. */
  path: string
  where: Source
  ca: string | undefined
  signal: AbortSignal | undefined
  /** Milliseconds for the whole reading. */
  timeout: number
}

/** Limit for hosts that do not support partial fetches and send everything. */
const maxDiskBytes = 256 * 1_048_576
const maxOutputBytes = 1_048_576

/** Answers of hosts that serve only commits named by branches and tags, or that serve only plain files. */
const refuses = /not our ref|unadvertised object|does not allow request|no such remote ref|couldn't find remote ref/i
const plain = /shallow|dumb http/i

/** A fetched commit in a temporary bare repository. */
export interface Fetched {
  commit: string
  /** Whether file contents are left at the host; git then fetches those that are read. */
  partial: boolean
  git: (args: string[], maxBytes?: number) => Promise<GitEnd>
  /** Fetches commits, refs or contents, but not the contents of files that these commits name. */
  fetch: (what: readonly string[], how?: readonly string[]) => Promise<GitEnd>
  /** The output of a successful run; otherwise throws the cause, or `tooLarge` if there was too much output. */
  must: (end: GitEnd, tooLarge?: () => Fault) => Buffer
  /** The content of a file; undefined if it is longer than `maxBytes`. */
  contentOf: (blob: string, maxBytes: number) => Promise<Buffer | undefined>
}

/** The host left contents out, but refuses to send single ones: a host over SSH with git's older protocol. */
class ContentsRefused extends Error {}

/**
 * Fetches one commit, without its history and without the contents of its files, into a temporary folder, and reads
 * from it. Nothing is checked out.
 */
export async function inCommit<T>(
  reading: Reading,
  commit: string,
  read: (fetched: Fetched) => Promise<T>,
): Promise<T> {
  const until = Date.now() + reading.timeout
  try {
    return await attempt(reading, commit, { until, filter: true }, read)
  } catch (error) {
    if (!(error instanceof ContentsRefused)) throw error
    return attempt(reading, commit, { until, filter: false }, read)
  }
}

async function attempt<T>(
  { path, where, ca, signal }: Reading,
  commit: string,
  { until, filter }: { until: number; filter: boolean },
  read: (fetched: Fetched) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-git-file-'))
  const config = (partial: boolean): Record<string, string> => ({
    ...where.config,
    'remote.origin.url': where.target,
    ...(partial && { 'remote.origin.promisor': 'true', 'remote.origin.partialCloneFilter': 'blob:none' }),
    'fetch.unpackLimit': '1',
    'gc.auto': '0',
    // nothing is checked out, and old repositories often fail this check
    'transfer.fsckObjects': 'false',
  })
  let partial = filter
  const git = (args: string[], maxBytes = maxOutputBytes): Promise<GitEnd> =>
    runGit(path, {
      args,
      config: config(partial),
      protocols: where.protocols,
      cwd: folder,
      timeout: Math.max(1, until - Date.now()),
      maxBytes,
      disk: { bytes: () => bytesIn(folder), most: maxDiskBytes },
      ca,
      ssh: where.ssh?.prepare,
      ended: where.ssh?.ended,
      ...(signal && { signal }),
    })
  const tooMuch = () => new Fault('badGateway', 'git-failed', { host: where.host })
  const must = (end: GitEnd, tooLarge = tooMuch): Buffer => {
    if (end.end === 'timeout') throw new Fault('badGateway', 'outbound-timeout', { host: where.host })
    if (end.end === 'too-large') throw tooLarge()
    if (end.end === 'disk') throw new Fault('invalid', 'git-repository-too-large', { most: maxDiskBytes / 1_048_576 })
    if (end.code !== 0) throw gitFault(end.stderr, where.host, where.target, where.withPassword)
    return end.stdout
  }
  const quietly = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head']
  const fetch = (what: readonly string[], how: readonly string[] = []) =>
    git([
      'fetch',
      ...quietly,
      ...how,
      ...(partial ? ['--filter=blob:none'] : []),
      '--end-of-options',
      'origin',
      ...what,
    ])

  try {
    must(await git(['init', '--quiet', '--bare', '--template=', '.']))
    const alone = await fetch([commit], ['--depth=1'])
    if (alone.end !== 'exit' || alone.code !== 0) {
      const said = alone.end === 'exit' ? alone.stderr : ''
      if (!refuses.test(said) && !plain.test(said)) must(alone)
      partial &&= !plain.test(said)
      must(await fetch(['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']))
    }
    const known = await git(['cat-file', '-e', `${commit}^{commit}`])
    if (known.end === 'exit' && known.code !== 0) throw new Fault('invalid', 'git-commit-unknown', { commit })
    const contentOf = async (blob: string, maxBytes: number): Promise<Buffer | undefined> => {
      const content = await git(['cat-file', 'blob', blob], maxBytes)
      if (content.end === 'too-large') return undefined
      if (partial && content.end === 'exit' && content.code !== 0 && refuses.test(content.stderr))
        throw new ContentsRefused()
      return must(content)
    }
    return await read({ commit, partial, git, fetch, must, contentOf })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The bytes of all files below a folder; files that disappear meanwhile count as 0. */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
