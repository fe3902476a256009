import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

/** What a blob is for: the first part of its key. */
export type BlobArea = 'logs' | 'artifacts' | 'backups'

export interface StoredBlob {
  /** `<area>/<two hex digits>/<32 hex digits>`, generated here: no part of it comes from a user. */
  key: string
  size: number
  /** Of the whole blob, as hex. */
  sha256: string
}

export interface BlobEntry {
  key: string
  size: number
  modified: Date
}

/**
 * The store of logs, artifacts and backups. Blobs are immutable: a key that `put` returned names the same bytes until
 * `delete`. Faults: `blobs-full` where the store has no room, `blobs-missing` for an unknown key, `blobs-unavailable`.
 */
export interface Blobs {
  /**
   * Stores a whole stream or nothing: the blob is durable once this resolves. `key` is a fresh `newBlobKey` of the
   * area, for callers that record it first.
   */
  put(area: BlobArea, body: Readable | AsyncIterable<Uint8Array>, key?: string): Promise<StoredBlob>
  /** The bytes [from, to), or all without a range. The caller must read or destroy the stream. */
  get(key: string, range?: { from: number; to: number }): Promise<Readable>
  size(key: string): Promise<number>
  /** Idempotent: succeeds whether the blob existed or not. */
  delete(key: string): Promise<void>
  /** Every blob of an area, in no particular order: used to find blobs without a row. */
  list(area: BlobArea): AsyncGenerator<BlobEntry>
  /**
   * A random text in the store, created by the first call. Servers that read the same text share the store; a server
   * that reads another one than the database contains must not start.
   */
  marker(): Promise<string>
}

const keyPattern = /^(logs|artifacts|backups)\/[0-9a-f]{2}\/[0-9a-f]{32}$/

/** 128 random bits, so that no two blobs get the same key. */
export function newBlobKey(area: BlobArea): string {
  const id = randomBytes(16).toString('hex')
  return `${area}/${id.slice(0, 2)}/${id}`
}

export const isBlobKey = (key: string): boolean => keyPattern.test(key)

export async function bytesOf(blobs: Blobs, key: string, from: number, to: number): Promise<Buffer> {
  return buffer(await blobs.get(key, { from, to }))
}

/** A blob as the source of `openLog`. */
export const blobSource = (blobs: Blobs, key: string, size: number) => ({
  size,
  read: (from: number, to: number): Promise<Buffer> => bytesOf(blobs, key, from, to),
})
