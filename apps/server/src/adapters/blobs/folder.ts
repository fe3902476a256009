import { createHash, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import {
  link,
  mkdir,
  open,
  opendir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  unlink,
  type FileHandle,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { Fault } from '../../kernel/fault.ts'
import { isBlobKey, newBlobKey, type BlobArea, type Blobs } from './blobs.ts'

export interface FolderBlobSettings {
  folder: string
  /** Bytes to leave free on the volume for its other users, PostgreSQL above all. Default: 256 MiB. */
  reserve?: number
  /** Returns the free bytes; tests simulate a full volume here. */
  free?: (folder: string) => Promise<number>
}

/** Bytes written between two checks of the free space. */
const checkEveryBytes = 32 * 1_048_576
/** Half-written files older than this belong to a server that died. */
const staleAfter = 24 * 3_600_000

const freeOn = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Blobs as files: written to a temporary file, synced, then renamed. */
export async function folderBlobs(settings: FolderBlobSettings): Promise<Blobs> {
  const { folder, reserve = 256 * 1_048_576, free = freeOn } = settings
  const incoming = join(folder, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  await sweep(incoming)

  const pathOf = (key: string): string => {
    if (!isBlobKey(key)) throw new Fault('missing', 'blobs-missing')
    return join(folder, key)
  }
  const room = async (): Promise<void> => {
    if ((await free(folder)) < reserve) throw new Fault('full', 'blobs-full')
  }

  async function write(file: FileHandle, body: AsyncIterable<Uint8Array>): Promise<{ size: number; sha256: string }> {
    const hash = createHash('sha256')
    let size = 0
    let looked = 0
    for await (const chunk of body) {
      if (size - looked >= checkEveryBytes) {
        await room()
        looked = size
      }
      hash.update(chunk)
      await writeAll(file, chunk)
      size += chunk.length
    }
    await file.sync()
    return { size, sha256: hash.digest('hex') }
  }

  return {
    async put(area, body, key = newBlobKey(area)) {
      const path = join(folder, key)
      const fresh = join(incoming, basename(key))
      try {
        await room()
        const file = await open(fresh, 'wx', 0o600)
        try {
          const written = await write(file, body)
          await file.close()
          await placed(fresh, path)
          return { key, ...written }
        } catch (error) {
          await file.close().catch(() => {})
          await rm(fresh, { force: true })
          throw error
        }
      } catch (error) {
        if (body instanceof Readable) body.destroy()
        throw blobFault(error)
      }
    },
    async get(key, range) {
      const path = pathOf(key)
      if (range !== undefined && range.from >= range.to) return Readable.from([])
      const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
        throw blobFault(error)
      })
      return file.createReadStream(range && { start: range.from, end: range.to - 1 })
    },
    async size(key) {
      const found = await stat(pathOf(key)).catch((error: unknown) => {
        throw blobFault(error)
      })
      return found.size
    },
    async delete(key) {
      await rm(pathOf(key), { force: true })
    },
    list: (area) => listed(folder, area),
    marker: () => markerIn(folder),
  }
}

const byCode: Record<string, 'blobs-full' | 'blobs-missing' | 'blobs-unavailable'> = {
  ENOSPC: 'blobs-full',
  EDQUOT: 'blobs-full',
  ENOENT: 'blobs-missing',
  // O_NOFOLLOW found a symbolic link, which is not a blob of ours.
  ELOOP: 'blobs-missing',
  EIO: 'blobs-unavailable',
  EROFS: 'blobs-unavailable',
  EACCES: 'blobs-unavailable',
  EPERM: 'blobs-unavailable',
  ESTALE: 'blobs-unavailable',
}

const kinds = { 'blobs-full': 'full', 'blobs-missing': 'missing', 'blobs-unavailable': 'unavailable' } as const

/** Maps a file system error to a fault; errors of the body itself pass unchanged. */
export function blobFault(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const key = byCode[code]
  if (key === undefined) return error
  const fault = new Fault(kinds[key], key)
  fault.cause = error
  return fault
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, at)
    at += bytesWritten
  }
}

/** The name must be as durable as the bytes, so the folder is synced too. */
async function placed(fresh: string, path: string): Promise<void> {
  const shard = dirname(path)
  await mkdir(shard, { recursive: true, mode: 0o700 })
  await rename(fresh, path)
  await synced(shard)
}

async function synced(folder: string): Promise<void> {
  // Windows cannot open folders; its rename is durable with the file.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function* listed(folder: string, area: BlobArea) {
  for await (const shard of entries(join(folder, area))) {
    for await (const name of entries(join(folder, area, shard))) {
      const key = `${area}/${shard}/${name}`
      if (!isBlobKey(key)) continue
      const found = await stat(join(folder, key)).catch(() => undefined)
      if (found !== undefined) yield { key, size: found.size, modified: found.mtime }
    }
  }
}

async function* entries(folder: string): AsyncGenerator<string> {
  const dir = await opendir(folder).catch(() => undefined)
  if (dir !== undefined) for await (const entry of dir) yield entry.name
}

async function sweep(incoming: string): Promise<void> {
  for await (const name of entries(incoming)) {
    const path = join(incoming, name)
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && found.mtimeMs < Date.now() - staleAfter) await rm(path, { force: true })
  }
}

/** link() fails if the name exists, so of two servers that start together one creates the marker, and both read it. */
async function markerIn(folder: string): Promise<string> {
  const path = join(folder, 'marker')
  const existing = await readFile(path, 'utf8').catch(() => undefined)
  if (existing !== undefined) return existing.trim()
  const fresh = join(folder, 'incoming', `marker-${randomBytes(8).toString('hex')}`)
  const file = await open(fresh, 'wx', 0o600)
  try {
    await file.write(`${randomBytes(16).toString('hex')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(fresh, path)
    await synced(folder)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await unlink(fresh)
  }
  return (await readFile(path, 'utf8')).trim()
}
