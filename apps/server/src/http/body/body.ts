import { pipeline, Readable, Transform } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { Fault } from '../../kernel/fault.ts'

export const bodyLimit = 1024 * 1024

const sizeText = (bytes: number): string =>
  bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3} GB` : bytes >= 1024 ** 2 ? `${bytes / 1024 ** 2} MB` : `${bytes / 1024} kB`

export const tooLarge = (limit: number) => new Fault('tooLarge', 'body-too-large', { limit: sizeText(limit) })

/** The time within which a form must arrive: meanwhile it occupies a connection and nothing else. */
const formMs = 30_000
/** An upload may take hours, but must keep moving; slow storage may stall it for this long. */
const stillMs = 120_000

/** `source` is the stream that is destroyed when the body arrives too slowly. */
export async function collect(stream: Readable, limit: number, source = stream): Promise<Buffer> {
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

export interface Incoming {
  stream: Readable | undefined
  contentType: string | undefined
  contentEncoding: string | undefined
  contentLength: string | undefined
}

export const isEncoded = ({ contentEncoding = 'identity' }: Incoming): boolean =>
  contentEncoding.toLowerCase() !== 'identity'

/** Uploads whose limit is at most this must arrive within the time of a form. */
const smallUpload = 2 * 1024 * 1024

/** An upload for its handler: read whole if its limit is small, streamed otherwise. */
export async function readUpload(incoming: Incoming, limit: number): Promise<Readable> {
  const upload = boundedUpload(incoming, limit)
  return limit > smallUpload ? upload : Readable.from([await collect(upload, limit, incoming.stream)])
}

/**
 * Streams an upload, which fails once it is longer than `limit`. A compressed upload is decompressed, and the limit
 * holds for both forms, so that a decompression bomb is refused.
 */
export function boundedUpload(incoming: Incoming, limit: number): Readable {
  const zstd = incoming.contentEncoding?.toLowerCase() === 'zstd'
  if (!zstd && isEncoded(incoming)) throw new Fault('unsupported', 'content-encoding-unsupported')
  const given = boundedStream(incoming, limit)
  if (!zstd) return given
  const plain = boundedBy(limit)
  const decompress = createZstdDecompress()
  // Registered before the pipeline, which would pass the error on unchanged. A body that was cut off is not a
  // compression error.
  decompress.once('error', () => plain.destroy(given.errored ?? new Fault('invalid', 'body-not-zstd')))
  pipeline(given, decompress, plain, () => undefined)
  return plain
}

/** Keeps an error for its reader, who may come later: an 'error' event without a listener would end the process. */
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
