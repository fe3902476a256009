import type { z } from 'zod'
import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { Fault } from '../../kernel/fault.ts'
import { outboundFault } from './faults.ts'

export const acceptEncoding = 'gzip, deflate, br, zstd'

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

interface Bounds {
  host: string
  encoding: string
  /** Bytes after decompression. */
  maxBytes: number
  /** The reason why the exchange was cut short, if it was; called when reading fails. */
  cut: () => Error | undefined
  /** Called once, when the body was read, has failed, or is abandoned. */
  closed: () => void
}

/** The body for its reader: decompressed, limited in size, and with its failures as Faults. */
export function boundedBody(raw: Readable, bounds: Bounds): Readable {
  async function* read(): AsyncGenerator<Buffer> {
    let bytes = 0
    try {
      const decoder = decoders[bounds.encoding]?.()
      // pipeline's callback only prevents a second throw: reading the decoder throws the failure too
      const source: Readable = decoder === undefined ? raw : pipeline(raw, decoder, () => {})
      for await (const chunk of source) {
        bytes += chunk.length
        if (bytes > bounds.maxBytes) throw tooLarge(bounds.host, bounds.maxBytes)
        yield chunk
      }
    } catch (error) {
      throw bounds.cut() ?? outboundFault(error, bounds.host)
    }
  }
  const body = Readable.from(read(), { objectMode: false })
  // a raw body that is abandoned before it was read still emits an error
  raw.on('error', () => {})
  body.once('close', () => {
    raw.destroy()
    bounds.closed()
  })
  return body
}

export const tooLarge = (host: string, maxBytes: number): Fault =>
  new Fault('badGateway', 'outbound-too-large', { host, limit: `${Math.ceil(maxBytes / 1_048_576)} MB` })

/** Parses and validates JSON from outside; `outbound-not-json` names the host of invalid JSON. */
export function parseJson<S extends z.ZodType>(text: string, schema: S, host: string): z.infer<S> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Fault('badGateway', 'outbound-not-json', { host })
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new Fault('badGateway', 'outbound-not-json', { host })
  return parsed.data
}

export async function textOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
