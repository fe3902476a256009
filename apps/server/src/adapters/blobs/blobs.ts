import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

/** What a blob is for: the first part of its key. */
export type BlobArea = 'logs' | 'artifacts' | 'backups'

export interface StoredBlob {
  /** `<area>/<two hex digits>/<32 hex digits>`, made here: nothing that a user names is part of it. */
  key: string
  size: number
  /** Of the whole, in hex. */
  sha256: string
}

export interface BlobEntry {
  key: string
  size: number
  modified: Date
}

/**
 * Where logs, artifacts and backups lie. Blobs never change: a key that `put` answered names the same bytes until `delete`.
 * Faults: `blobs-full` where the store has no room, `blobs-missing` for a key that is not there, `blobs-unavailable`.
 */
export interface Blobs {
  /**
   * Stores a whole stream or nothing: the blob is there, durably, once this resolves. `key` is a fresh `newBlobKey` of the area, for who
   * notes it before.
   */
  put(area: BlobArea, body: Readable | AsyncIterable<Uint8Array>, key?: string): Promise<StoredBlob>
  /** Bytes [from, to); all of them without a range. Read it or destroy it. */
  get(key: string, range?: { from: number; to: number }): Promise<Readable>
  size(key: string): Promise<number>
  /** Whether it was there or not, it is gone afterwards. */
  delete(key: string): Promise<void>
  /** Every blob of an area, in no promised order: for finding those that no row names any more. */
  list(area: BlobArea): AsyncGenerator<BlobEntry>
  /**
   * A random text that lies in the store, made at the first call. Two servers that read the same one share the store; a
   * server that reads another than the database remembers does not, and must not start.
   */
  marker(): Promise<string>
}

const keyPattern = /^(logs|artifacts|backups)\/[0-9a-f]{2}\/[0-9a-f]{32}$/

/** 128 random bits: no two blobs are ever given the same. */
export function newBlobKey(area: BlobArea): string {
  const id = randomBytes(16).toString('hex')
  return `${area}/${id.slice(0, 2)}/${id}`
}

export const isBlobKey = (key: string): boolean => keyPattern.test(key)

export async function bytesOf(blobs: Blobs, key: string, from: number, to: number): Promise<Buffer> {
  return buffer(await blobs.get(key, { from, to }))
}

/** A blob as `openLog` wants it. */
export const blobSource = (blobs: Blobs, key: string, size: number) => ({
  size,
  read: (from: number, to: number): Promise<Buffer> => bytesOf(blobs, key, from, to),
})
