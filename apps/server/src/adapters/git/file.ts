import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '../../kernel/fault.ts'
import { gitFault } from './refs.ts'
import { type GitEnd, runGit } from './run.ts'
import type { Source } from './source.ts'

/** What a repository may say of a file to who must not learn what else listens beside it. */
export const fileFaults = [
  'git-branch-unknown',
  'git-commit-unknown',
  'git-empty',
  'git-file-missing',
  'git-file-not-plain',
  'git-file-not-text',
  'git-file-too-large',
  'git-repository-too-large',
] as const

export interface CommitFile {
  commit: string
  /** The first line of the commit's message. */
  message: string
  text: string
}

interface Reading {
  /** Where `git` is searched: the value of PATH. */
  path: string
  where: Source
  ca: string | undefined
  signal: AbortSignal | undefined
  /** Milliseconds for all of it. */
  timeout: number
}

/** Of the file itself: a definition is read, and a tree of it is kept in memory. */
export const mostFileBytes = 256 * 1024
/** Of what a host sends that knows no partial histories. */
const mostDiskBytes = 256 * 1_048_576
const mostSaidBytes = 1_048_576

/** Hosts that serve only what their branches and tags name, or only files. */
const refuses = /not our ref|unadvertised object|does not allow request|no such remote ref|couldn't find remote ref/i
const plain = /shallow|dumb http/i

/**
 * Reads one file of one commit into memory. The commit is fetched without its history and without the contents of its
 * files, of which the one is then fetched by itself, into a folder that is removed. Nothing is checked out.
 */
export async function readFileOf(reading: Reading, commit: string, file: string): Promise<CommitFile> {
  const until = Date.now() + reading.timeout
  const found = await attempt(reading, commit, file, { until, filter: true })
  // a host that leaves contents out, and then sends none by itself: one over SSH that speaks git's older protocol
  const whole = found ?? (await attempt(reading, commit, file, { until, filter: false }))
  if (!whole) throw new Fault('invalid', 'git-commit-unknown', { commit })
  return whole
}

/** Undefined where the host refuses the contents that were left out. */
async function attempt(
  { path, where, ca, signal }: Reading,
  commit: string,
  file: string,
  { until, filter }: { until: number; filter: boolean },
): Promise<CommitFile | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-git-file-'))
  const config = (partial: boolean): Record<string, string> => ({
    ...where.config,
    'remote.origin.url': where.target,
    ...(partial && { 'remote.origin.promisor': 'true', 'remote.origin.partialCloneFilter': 'blob:none' }),
    'fetch.unpackLimit': '1',
    'gc.auto': '0',
    // nothing of it is ever checked out, and old repositories are not always in order
    'transfer.fsckObjects': 'false',
  })
  let partial = filter
  const git = (args: string[], maxBytes = mostSaidBytes): Promise<GitEnd> =>
    runGit(path, {
      args,
      config: config(partial),
      protocols: where.protocols,
      cwd: folder,
      timeout: Math.max(1, until - Date.now()),
      maxBytes,
      disk: { bytes: () => bytesIn(folder), most: mostDiskBytes },
      ca,
      ssh: where.ssh?.prepare,
      ended: where.ssh?.ended,
      ...(signal && { signal }),
    })
  const must = (end: GitEnd): Buffer => {
    if (end.end === 'timeout') throw new Fault('badGateway', 'outbound-timeout', { host: where.host })
    if (end.end === 'too-large')
      throw new Fault('invalid', 'git-file-too-large', { path: file, commit, most: mostFileBytes / 1024 })
    if (end.end === 'disk') throw new Fault('invalid', 'git-repository-too-large', { most: mostDiskBytes / 1_048_576 })
    if (end.code !== 0) throw gitFault(end.stderr, where.host, where.target, where.withPassword)
    return end.stdout
  }
  const fetch = (...args: string[]) =>
    git(['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', ...args])

  try {
    must(await git(['init', '--quiet', '--bare', '--template=', '.']))
    const alone = await fetch(
      '--depth=1',
      ...(partial ? ['--filter=blob:none'] : []),
      '--end-of-options',
      'origin',
      commit,
    )
    if (alone.end !== 'exit' || alone.code !== 0) {
      const said = alone.end === 'exit' ? alone.stderr : ''
      if (!refuses.test(said) && !plain.test(said)) must(alone)
      partial &&= !plain.test(said)
      const all = ['--end-of-options', 'origin', '+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']
      must(await fetch(...(partial ? ['--filter=blob:none'] : []), ...all))
    }
    const about = await git(['show', '--no-patch', '--format=%s', '--end-of-options', `${commit}^{commit}`])
    if (about.end === 'exit' && about.code !== 0) throw new Fault('invalid', 'git-commit-unknown', { commit })
    const message = must(about).toString('utf8').split('\n')[0] ?? ''
    const entry = must(await git(['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', commit, '--', file]))
    const [, mode, type, blob] = /^(\d+) (\w+) ([0-9a-f]+)\t/.exec(entry.toString('utf8')) ?? []
    if (blob === undefined) throw new Fault('invalid', 'git-file-missing', { path: file, commit })
    if (type !== 'blob' || mode === '120000') throw new Fault('invalid', 'git-file-not-plain', { path: file, commit })
    const content = await git(['cat-file', 'blob', blob], mostFileBytes)
    if (partial && content.end === 'exit' && content.code !== 0 && refuses.test(content.stderr)) return undefined
    const bytes = must(content)
    return { commit, message, text: textOf(bytes, file, commit) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function textOf(bytes: Buffer, file: string, commit: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // told like a text with a zero in it
  }
  throw new Fault('invalid', 'git-file-not-text', { path: file, commit })
}

/** The bytes of all files below a folder; one that goes meanwhile counts as nothing. */
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
