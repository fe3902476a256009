import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { posix } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack, type Pack } from 'tar-stream'
import { findFiles, openFile, readOpened, type FoundFile } from '../files.ts'
import { pattern } from '../glob.ts'
import { StepFailure } from '../reasons.ts'

/** One entry of a layer, by its path in the image (without a leading slash). */
export interface LayerEntry {
  target: string
  source: FoundFile
}

export interface Layer {
  file: string
  /** The digest of the compressed bytes, which is the blob's name. */
  digest: string
  size: number
  /** The digest of the uncompressed tar, for the image's configuration. */
  diffId: string
}

/** Target paths. A single file goes to the path itself unless that ends with a slash; others keep their place below. */
export async function layerEntries(
  workspace: string,
  copies: readonly { from: string; to: string }[],
  say: (line: string) => void,
): Promise<LayerEntry[]> {
  const entries = new Map<string, LayerEntry>()
  for (const { from, to } of copies) {
    const { base, literal } = pattern(from)
    const { files, passedOver } = await findFiles(workspace, from, 'keep')
    for (const line of passedOver) say(line)
    if (files.length === 0) throw new StepFailure('agents-no-files', { files: from })
    for (const source of files) {
      const alone = literal && source.path === base
      const within = alone
        ? posix.basename(source.path)
        : base === ''
          ? source.path
          : source.path.slice(base.length + 1)
      const target = alone && !to.endsWith('/') ? to : posix.join(to, within)
      const normal = posix.normalize(target).replace(/^\/+/, '')
      // a later copy wins, as if each copy were a layer
      entries.set(normal, { target: normal, source })
    }
  }
  return [...entries.values()].sort((a, b) => (a.target < b.target ? -1 : 1))
}

/**
 * Writes a layer that depends only on names, modes and contents: entries in order, one time for all, everything owned
 * by root. The same files give the same digest on every machine, so a registry that has the layer gets nothing.
 */
export async function writeLayer(
  workspace: string,
  entries: readonly LayerEntry[],
  file: string,
  folders: boolean,
): Promise<Layer> {
  const tar = pack()
  const bare = counting()
  const gzip = createGzip({ level: 6 })
  const packed = counting()
  const written = pipeline(tar, bare.stream, gzip, packed.stream, createWriteStream(file, { mode: 0o600 }))
  const filled = fill(tar, workspace, entries, folders).catch((cause: unknown) => {
    tar.destroy(cause as Error)
    throw cause
  })
  // awaited together: a failure of either ends the other, and the first cause is reported
  const [first] = (await Promise.allSettled([filled, written])).filter((one) => one.status === 'rejected')
  if (first !== undefined) throw first.reason
  return { file, digest: packed.digest(), size: packed.size(), diffId: bare.digest() }
}

const at = new Date(0)

async function fill(tar: Pack, workspace: string, entries: readonly LayerEntry[], folders: boolean): Promise<void> {
  const made = new Set<string>()
  for (const { target, source } of entries) {
    if (folders) for (const name of parents(target)) if (!made.has(name)) addFolder(tar, name, made)
    const common = { name: target, mtime: at, uid: 0, gid: 0, uname: '', gname: '' }
    if (source.link !== undefined) {
      tar.entry({ ...common, type: 'symlink', linkname: source.link, mode: 0o777 })
      continue
    }
    // write permissions of others are dropped: nobody wants them, they come from a umask
    const opened = await openFile(workspace, source.path)
    const { size, mode } = await opened.stat()
    await new Promise<void>((done, failed) => {
      const entry = tar.entry({ ...common, size, mode: mode & 0o7755 }, (cause) => (cause ? failed(cause) : done()))
      Readable.from(whole(opened, size, source.path), { objectMode: false })
        .on('error', failed)
        .pipe(entry)
    })
  }
  tar.finalize()
}

async function* whole(file: FileHandle, size: number, path: string): AsyncGenerator<Buffer> {
  let read = 0
  for await (const part of readOpened(file, size)) {
    read += part.length
    yield part
  }
  if (read !== size) throw new StepFailure('agents-file-changed', { path })
}

function addFolder(tar: Pack, name: string, made: Set<string>): void {
  made.add(name)
  tar.entry({ name: `${name}/`, type: 'directory', mode: 0o755, mtime: at, uid: 0, gid: 0, uname: '', gname: '' })
}

const parents = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, i, parts) => parts.slice(0, i + 1).join('/'))

function counting(): { stream: Transform; digest: () => string; size: () => number } {
  const hash: Hash = createHash('sha256')
  let size = 0
  const stream = new Transform({
    transform(part: Buffer, _, done) {
      hash.update(part)
      size += part.length
      done(null, part)
    },
  })
  return { stream, digest: () => `sha256:${hash.digest('hex')}`, size: () => size }
}
