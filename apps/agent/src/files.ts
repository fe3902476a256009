import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import { lstat, open, readdir, readlink, realpath, type FileHandle } from 'node:fs/promises'
import { join, posix, sep } from 'node:path'
import { pattern } from './glob.ts'
import { StepFailure } from './reasons.ts'

/**
 * Reads files that a step left in the workspace. The agent may read every file of its machine, and the step chose every
 * name, so a symbolic link must never lead out: only real directories are entered, and an opened file is verified by
 * the kernel's own name for it.
 */
export interface FoundFile {
  /** The path below the workspace, with `/`. */
  path: string
  size: number
  /** The permission bits. */
  mode: number
  mtimeMs: number
  /** The target of a symbolic link; only if links were requested. */
  link?: string
}

export interface Found {
  files: FoundFile[]
  /** Skipped matches, with one sentence each for the step's log. */
  passedOver: string[]
}

/** A pattern that matches more is a mistake. */
export const maxFiles = 50_000
const maxSkipped = 1000
/** The longest path that the server accepts. A tree may be deeper, even deeper than the kernel accepts in a path. */
const longestPath = 1000

/** Files that match a pattern, sorted by path. `keep` returns links as links; `follow` reads those that stay inside. */
export async function findFiles(workspace: string, text: string, links: 'keep' | 'follow'): Promise<Found> {
  const wanted = pattern(text)
  const root = await realpath(workspace)
  const files: FoundFile[] = []
  const passedOver: string[] = []
  const passOver = (path: string, why: string): void => {
    if (passedOver.length < maxSkipped) passedOver.push(`Passed over ${path}: ${why}`)
  }

  async function look(folder: string): Promise<void> {
    const entries = await readdir(join(root, folder), { withFileTypes: true, encoding: 'buffer' }).catch(
      (cause: NodeJS.ErrnoException) => {
        // deleted since it was listed, or never there
        if (['ENOENT', 'ENOTDIR'].includes(cause.code ?? '')) return []
        throw cause
      },
    )
    for (const entry of entries) {
      const name = entry.name.toString('utf8')
      const path = folder === '' ? name : `${folder}/${name}`
      if (!(entry.isDirectory() ? wanted.mayHold(path) : wanted.matches(path))) continue
      // neither the server nor a registry accepts other encodings of names
      if (!isUtf8(entry.name)) passOver(posix.join(folder, escaped(entry.name)), 'the name is not UTF-8.')
      else if (path.length > longestPath) passOver(path, 'the path is too long.')
      else if (entry.isDirectory()) await look(path)
      else await take(path, entry.isSymbolicLink())
    }
  }

  async function take(path: string, isLink: boolean): Promise<void> {
    if (files.length >= maxFiles) throw new StepFailure('agents-too-many-files', { files: text, limit: maxFiles })
    const full = join(root, path)
    if (isLink && links === 'keep') {
      const { mtimeMs } = await lstat(full)
      files.push({ path, size: 0, mode: 0o777, mtimeMs, link: await readlink(full) })
      return
    }
    const real = isLink ? await realpath(full).catch(() => undefined) : full
    if (real === undefined || !inside(root, real)) passOver(path, 'the link leads out of the workspace.')
    else {
      const stat = await lstat(real)
      if (stat.isFile()) files.push({ path, size: stat.size, mode: stat.mode & 0o7777, mtimeMs: stat.mtimeMs })
    }
  }

  await look('')
  files.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { files, passedOver: passedOver.sort() }
}

/** A name in the notation of a shell's `$'…'`, because its bytes are not text. */
const escaped = (name: Buffer): string =>
  name.toString('latin1').replaceAll(/[^ -~]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)

const inside = (root: string, path: string): boolean => path.startsWith(root + sep)

/**
 * Opens a regular file of the workspace. Never blocks on a pipe or a device; refuses a name that leads elsewhere by
 * now.
 */
export async function openFile(workspace: string, path: string): Promise<FileHandle> {
  const root = await realpath(workspace)
  const refuse = (): StepFailure => new StepFailure('agents-workspace-link', { path })
  const real = await realpath(join(root, path))
  if (!inside(root, real)) throw refuse()
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (cause: NodeJS.ErrnoException) => {
      throw cause.code === 'ELOOP' ? refuse() : cause
    },
  )
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw refuse()
    if (process.platform === 'linux') {
      const opened = await readlink(`/proc/self/fd/${file.fd}`)
      if (!inside(root, opened)) throw refuse()
    }
    return file
  } catch (cause) {
    await file.close()
    throw cause
  }
}

/** Yields the file's first `size` bytes, then closes it. */
export async function* readOpened(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  try {
    for (let at = 0; at < size;) {
      const buffer = Buffer.allocUnsafe(Math.min(256 * 1024, size - at))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

export function humanSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`
}
