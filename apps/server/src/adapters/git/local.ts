import { mkdir, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { Fault } from '../../kernel/fault.ts'
import { runGit } from './run.ts'
import { isRefName } from './url.ts'

export interface Commit {
  message: string
  /** Path → content; what a later commit does not name stays as it was. */
  files: Record<string, string>
  author: { name: string; email: string }
  at: Date
}

const fileName = /^(?!\/)(?!.*(^|\/)\.{0,2}(\/|$))[\w./ -]{1,200}$/

/**
 * Makes a bare repository with these commits on one branch; `path` appears whole or not at all. Also updates the files that
 * let plain HTTP serve it (`servedFile`).
 */
export async function createRepository(
  gitPath: string,
  path: string,
  branch: string,
  commits: Commit[],
): Promise<void> {
  if (!isRefName(branch)) throw new Error(`no branch name: ${branch}`)
  await mkdir(dirname(path), { recursive: true })
  const fresh = `${path}.${process.pid}.new`
  await rm(fresh, { recursive: true, force: true })
  const git = async (args: string[], input?: string): Promise<void> => {
    const end = await runGit(gitPath, {
      args,
      timeout: 30_000,
      maxBytes: 1_048_576,
      ...(input !== undefined && { input }),
    })
    if (end.end !== 'exit' || end.code !== 0) throw new Error(`git ${args[0]}: ${end.stderr}`)
  }
  try {
    await git(['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`, '--end-of-options', fresh])
    await git(
      [`--git-dir=${fresh}`, 'fast-import', '--quiet'],
      commits.map((commit) => imported(branch, commit)).join(''),
    )
    await git([`--git-dir=${fresh}`, 'update-server-info'])
    await rename(fresh, path)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

const sized = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`

function imported(branch: string, { message, files, author, at }: Commit): string {
  if (/[<>\n\0]/.test(author.name + author.email)) throw new Error('an author holds no <, > or line break')
  const lines = [`commit refs/heads/${branch}\n`]
  lines.push(`committer ${author.name} <${author.email}> ${Math.floor(at.getTime() / 1000)} +0000\n`, sized(message))
  for (const [name, content] of Object.entries(files)) {
    if (!fileName.test(name)) throw new Error(`no file name: ${name}`)
    lines.push(`M 100644 inline ${name}\n`, sized(content))
  }
  return lines.join('')
}

/** What git asks for when it clones over plain ("dumb") HTTP. */
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
