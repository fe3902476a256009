import { pipeline, Readable, Transform } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { Fault } from '../kernel/fault.ts'

export const bodyLimit = 1024 * 1024

/** Deeper JSON than any call takes. */
const maxDepth = 64

const json = /^application\/json(; ?charset=utf-8)?$/i

export const sizeText = (bytes: number): string =>
  bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3} GB` : bytes >= 1024 ** 2 ? `${bytes / 1024 ** 2} MB` : `${bytes / 1024} kB`

const tooLarge = (limit: number) => new Fault('tooLarge', 'body-too-large', { limit: sizeText(limit) })

/** A form that takes longer to arrive holds a connection and nothing else. */
const formMs = 30_000
/** An upload may take hours, but it keeps moving; storage that is slow may hold it up for a while. */
const stillMs = 120_000

/** `source` is what a body that comes too slowly is cut off at. */
async function collect(stream: Readable, limit: number, source = stream): Promise<Buffer> {
  const slow = setTimeout(() => source.destroy(new Error('the body came too slowly')), formMs)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limit) throw tooLarge(limit)
      chunks.push(chunk)
    }
  } finally {
    clearTimeout(slow)
  }
  return Buffer.concat(chunks)
}

const poison = new Set(['__proto__', 'constructor', 'prototype'])

const refuseHalves = (text: string): void => {
  if (!text.isWellFormed()) throw new Fault('invalid', 'request-illegal-character')
}

/** Keys that could reach a prototype, and texts with half a character, are refused wherever an object is taken in. */
export function refusePoison(value: unknown): void {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw new Fault('invalid', 'request-not-json')
    const next: unknown[] = []
    for (const item of level) {
      if (typeof item === 'string') refuseHalves(item)
      if (typeof item !== 'object' || item === null) continue
      for (const [key, inner] of Object.entries(item)) {
        refuseHalves(key)
        if (poison.has(key) && !Array.isArray(item)) throw new Fault('invalid', 'request-illegal-key', { name: key })
        if (typeof inner === 'string') refuseHalves(inner)
        if (typeof inner === 'object' && inner !== null) next.push(inner)
      }
    }
    level = next
  }
}

interface Incoming {
  stream: Readable | undefined
  contentType: string | undefined
  contentEncoding: string | undefined
  contentLength: string | undefined
}

/**
 * The JSON value of a request's body; undefined where it has none. What the content type says matters only where there
 * is something to read. Any JSON value is a body, primitives too.
 */
export async function readJson({ stream, contentType, contentEncoding, contentLength }: Incoming): Promise<unknown> {
  if (!stream || contentLength === '0') return undefined
  if (Number(contentLength ?? 0) > bodyLimit) throw tooLarge(bodyLimit)
  const bytes = await collect(stream, bodyLimit)
  if (bytes.length === 0) return undefined
  if (!json.test(contentType ?? '') || contentEncoding !== undefined)
    throw new Fault('unsupported', 'content-type-unsupported')
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Fault('invalid', 'request-not-json')
  }
  refusePoison(value)
  return value
}

/** Up to so many bytes an upload is as quick to come as a form. */
const smallUpload = 2 * 1024 * 1024

/** An upload as its handler reads it: a small one is there as a whole, a larger one is on its way. */
export async function readUpload(incoming: Incoming, limit: number): Promise<Readable> {
  const upload = boundedUpload(incoming, limit)
  return limit > smallUpload ? upload : Readable.from([await collect(upload, limit, incoming.stream)])
}

/**
 * An upload, passed on unread; it fails once it is longer than `limit`. One that comes compressed is passed on as it was, and the limit
 * holds for both forms, so that little cannot become much.
 */
export function boundedUpload(incoming: Incoming, limit: number): Readable {
  const { contentEncoding } = incoming
  const given = boundedStream(incoming, limit)
  if (contentEncoding === undefined || contentEncoding === 'identity') return given
  if (contentEncoding !== 'zstd') {
    given.destroy()
    throw new Fault('unsupported', 'content-encoding-unsupported')
  }
  const plain = boundedBy(limit)
  pipeline(given, createZstdDecompress(), plain, () => undefined)
  return plain
}

/** An error is kept for whoever reads, now or later: one that nobody listens to yet would end the process. */
const boundedBy = (limit: number, onChunk: () => void = () => undefined): Transform => {
  let size = 0
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onChunk()
      size += chunk.length
      done(size > limit ? tooLarge(limit) : null, chunk)
    },
  })
  return bounded.on('error', () => undefined)
}

function boundedStream({ stream, contentLength }: Incoming, limit: number): Readable {
  if (Number(contentLength ?? 0) > limit) throw tooLarge(limit)
  const still = setTimeout(() => bounded.destroy(new Error('the upload stood still')), stillMs)
  const bounded = boundedBy(limit, () => still.refresh())
  bounded.once('close', () => clearTimeout(still))
  if (!stream) return bounded.end()
  stream.once('error', (error) => bounded.destroy(error))
  stream.once('close', () => {
    if (!stream.readableEnded) bounded.destroy(new Error('the upload was cut off'))
  })
  return stream.pipe(bounded)
}
