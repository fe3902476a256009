import { createHash, randomUUID, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { RegistryError } from './errors.ts'
import { adoptUpload, isDigest, uploadPath, type Storage } from './storage.ts'

/** Hashes of uploads in progress, so that a blob is read once; after a restart it is read again. */
export type Hashes = Map<string, { hash: Hash; size: number }>

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function startUpload(storage: Storage, name: string): string {
  const upload = randomUUID()
  const path = uploadPath(storage, name, upload)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  return upload
}

export function uploadSize(storage: Storage, name: string, upload: string): number {
  const path = uploadPath(storage, name, upload)
  if (!idPattern.test(upload) || !existsSync(path)) throw new RegistryError('BLOB_UPLOAD_UNKNOWN')
  return statSync(path).size
}

/** `0-99`: Content-Range of a chunk says where it starts, which must be where the last one ended. */
function checkStart(range: string | undefined, size: number): void {
  if (range === undefined) return
  const found = /^(?:bytes )?(\d+)-(\d+)/.exec(range)
  if (!found || Number(found[1]) !== size || Number(found[2]) < Number(found[1]) - 1)
    throw new RegistryError('RANGE_INVALID')
}

/** Appends a body to an upload on disk. Answers its new size; if the connection breaks, the received part stays. */
export async function appendUpload(
  storage: Storage,
  hashes: Hashes,
  name: string,
  upload: string,
  source: Readable,
  range: string | undefined,
): Promise<number> {
  const before = uploadSize(storage, name, upload)
  checkStart(range, before)
  const known = hashes.get(upload)
  const state = known?.size === before ? known : before === 0 ? { hash: createHash('sha256'), size: 0 } : undefined
  hashes.delete(upload)
  const tap = new Transform({
    transform(chunk: Buffer, _, done) {
      state?.hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(source, tap, createWriteStream(uploadPath(storage, name, upload), { flags: 'a' }))
  const size = uploadSize(storage, name, upload)
  if (state) hashes.set(upload, { hash: state.hash, size })
  return size
}

/** Turns an upload into a blob if it matches the digest; otherwise deletes it. */
export async function finishUpload(
  storage: Storage,
  hashes: Hashes,
  name: string,
  upload: string,
  digest: string,
): Promise<void> {
  const size = uploadSize(storage, name, upload)
  if (!isDigest(digest)) throw new RegistryError('DIGEST_INVALID', { digest })
  const known = hashes.get(upload)
  hashes.delete(upload)
  let { hash } = known?.size === size ? known : { hash: undefined }
  if (!hash) {
    hash = createHash('sha256')
    await pipeline(createReadStream(uploadPath(storage, name, upload)), hash)
  }
  if (`sha256:${hash.digest('hex')}` !== digest) {
    cancelUpload(storage, hashes, name, upload)
    throw new RegistryError('DIGEST_INVALID', { digest })
  }
  adoptUpload(storage, name, upload, digest)
}

export function cancelUpload(storage: Storage, hashes: Hashes, name: string, upload: string): void {
  uploadSize(storage, name, upload)
  hashes.delete(upload)
  rmSync(uploadPath(storage, name, upload), { force: true })
}
