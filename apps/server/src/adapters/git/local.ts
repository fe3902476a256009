import { mkdir, readdir, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { Fault } from '../../kernel/fault.ts'
import { runGit } from './run.ts'
import { isRefName } from './url.ts'

export interface Commit {
  message: string
  /** File contents by path; a later commit keeps files that it does not name. */
  files: Record<string, string>
  author: { name: string; email: string }
  at: Date
}

/** Packs a commit into one file for plain HTTP, instead of a file for each of its objects. */
const packed = ['-c', 'fastimport.unpackLimit=0']
const maxPacks = 20

const fileName = /^(?!\/)(?!.*(^|\/)\.{0,2}(\/|$))[\w./ -]{1,200}$/

async function git(gitPath: string, args: string[], input = ''): Promise<void> {
  const end = await runGit(gitPath, { args, input, timeout: 30_000, maxBytes: 1_048_576 })
  if (end.end === 'exit' && end.code === 0) return
  throw new Error(`git ${args.join(' ')}: ${end.end === 'exit' ? end.stderr : end.end}`)
}

/**
 * Creates a bare repository with these commits on one branch, atomically. Also creates the files that let plain HTTP
 * serve it (`servedFile`).
 */
export async function createRepository(
  gitPath: string,
  path: string,
  branch: string,
  commits: Commit[],
): Promise<void> {
  if (!isRefName(branch)) throw new Error(`no branch name: ${branch}`)
  const stream = commits.map((commit) => imported(branch, commit)).join('')
  await mkdir(dirname(path), { recursive: true })
  const fresh = `${path}.${process.pid}.new`
  await rm(fresh, { recursive: true, force: true })
  try {
    await git(gitPath, [
      'init',
      '--quiet',
      '--bare',
      '--template=',
      `--initial-branch=${branch}`,
      '--end-of-options',
      fresh,
    ])
    await git(gitPath, [`--git-dir=${fresh}`, ...packed, 'fast-import', '--quiet'], stream)
    await git(gitPath, [`--git-dir=${fresh}`, 'update-server-info'])
    await rename(fresh, path)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** Adds a commit to an existing branch. */
export async function addCommit(gitPath: string, path: string, branch: string, commit: Commit): Promise<void> {
  if (!isRefName(branch)) throw new Error(`no branch name: ${branch}`)
  const stream = imported(branch, commit, `from refs/heads/${branch}^0\n`)
  await git(gitPath, [`--git-dir=${path}`, ...packed, 'fast-import', '--quiet'], stream)
  const packs = (await readdir(join(path, 'objects/pack'))).filter((name) => name.endsWith('.pack'))
  if (packs.length > maxPacks) await git(gitPath, [`--git-dir=${path}`, 'repack', '-a', '-d', '--quiet'])
  await git(gitPath, [`--git-dir=${path}`, 'update-server-info'])
}

const sized = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`

function imported(branch: string, { message, files, author, at }: Commit, parent = ''): string {
  if (/[<>\n\0]/.test(author.name + author.email)) throw new Error('an author holds no <, > or line break')
  const lines = [`commit refs/heads/${branch}\n`]
  lines.push(
    `committer ${author.name} <${author.email}> ${Math.floor(at.getTime() / 1000)} +0000\n`,
    sized(message),
    parent,
  )
  for (const [name, content] of Object.entries(files)) {
    if (!fileName.test(name)) throw new Error(`no file name: ${name}`)
    lines.push(`M 100644 inline ${name}\n`, sized(content))
  }
  return lines.join('')
}

/** The files that git requests when it clones over plain ("dumb") HTTP. */
const served =
  /^(HEAD|info\/refs|objects\/info\/(packs|alternates|http-alternates)|objects\/[0-9a-f]{2}\/[0-9a-f]{38,62}|objects\/pack\/pack-[0-9a-f]{40,64}\.(pack|idx))$/

/** The file of a repository that a plain HTTP request may read; throws a Fault `missing` for anything else. */
export async function servedFile(repository: string, name: string): Promise<string> {
  const missing = (): Fault => new Fault('missing', 'git-not-found', { host: '', url: name.slice(0, 200) })
  if (!served.test(name)) throw missing()
  const [root, file] = await Promise.all([realpath(repository), realpath(join(repository, name))]).catch(() => {
    throw missing()
  })
  if (!file.startsWith(root + sep)) throw missing()
  return file
}
