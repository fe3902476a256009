import { pipeline, Readable, Transform } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { Fault } from '../../kernel/fault.ts'

export const bodyLimit = 1024 * 1024

const sizeText = (bytes: number): string =>
  bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3} GB` : bytes >= 1024 ** 2 ? `${bytes / 1024 ** 2} MB` : `${bytes / 1024} kB`

export const tooLarge = (limit: number) => new Fault('tooLarge', 'body-too-large', { limit: sizeText(limit) })

/** A form that takes longer to arrive holds a connection and nothing else. */
const formMs = 30_000
/** An upload may take hours, but it keeps moving; storage that is slow may hold it up for a while. */
const stillMs = 120_000

/** `source` is what a body that comes too slowly is cut off at. */
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
  const zstd = incoming.contentEncoding?.toLowerCase() === 'zstd'
  if (!zstd && isEncoded(incoming)) throw new Fault('unsupported', 'content-encoding-unsupported')
  const given = boundedStream(incoming, limit)
  if (!zstd) return given
  const plain = boundedBy(limit)
  const decompress = createZstdDecompress()
  // Before the pipeline passes it on as it is. What does not come whole is no fault of the compression.
  decompress.once('error', () => plain.destroy(given.errored ?? new Fault('invalid', 'body-not-zstd')))
  pipeline(given, decompress, plain, () => undefined)
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
