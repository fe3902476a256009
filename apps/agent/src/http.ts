import http from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { rootCertificates } from 'node:tls'

/**
 * One HTTP exchange over kept connections. Uses Node's own client, because fetch and undici each take more memory in an
 * idle agent than everything else.
 */
export interface HttpRequest {
  method: string
  url: string
  headers?: Record<string, string>
  /** A stream is sent with `length` if that is known, else in chunks; a request with a stream cannot be repeated. */
  body?: Buffer | string | Readable
  length?: number
  /** The exchange fails after this long without a byte in either direction. */
  idleMs?: number
  signal?: AbortSignal
}

export interface Answered {
  status: number
  headers: http.IncomingHttpHeaders
  body: http.IncomingMessage
}

export interface Transport {
  ask: (request: HttpRequest) => Promise<Answered>
  close: () => void
}

/** The authorities to trust for a registry: its own one, besides the usual ones and the installation's. */
export const trusting = (installation: string | undefined, own = ''): string | undefined =>
  own === ''
    ? installation
    : [...rootCertificates, ...(installation === undefined ? [] : [installation]), own].join('\n')

export function transport(options: { ca?: string | undefined; insecure?: boolean } = {}): Transport {
  const kept = { keepAlive: true, keepAliveMsecs: 10_000, maxSockets: 64, maxFreeSockets: 8 }
  const plain = new http.Agent(kept)
  const tls = new https.Agent({
    ...kept,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    rejectUnauthorized: options.insecure !== true,
  })

  async function ask({ method, url, headers, body, length, idleMs = 60_000, signal }: HttpRequest): Promise<Answered> {
    const secure = url.startsWith('https:')
    const stream = body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body) ? body : undefined
    const size = stream === undefined && body !== undefined ? Buffer.byteLength(body as Buffer | string) : length
    const request = (secure ? https : http).request(url, {
      method,
      agent: secure ? tls : plain,
      headers: {
        ...headers,
        ...(size === undefined ? (stream ? {} : { 'content-length': '0' }) : { 'content-length': String(size) }),
      },
      ...(signal === undefined ? {} : { signal }),
    })
    request.setTimeout(idleMs, () => request.destroy(new Error(`no answer within ${idleMs / 1000} s`)))
    const answer = new Promise<Answered>((done, failed) => {
      request.on('error', failed)
      request.on('response', (response) =>
        done({ status: response.statusCode ?? 0, headers: response.headers, body: response }),
      )
    })
    if (stream === undefined) request.end(body as Buffer | string | undefined)
    // a server that refuses an upload answers before it has read all; the answer counts, not the broken pipe
    else pipeline(stream, request).catch((cause: unknown) => request.destroy(cause as Error))
    return answer
  }

  return {
    ask,
    close: () => {
      plain.destroy()
      tls.destroy()
    },
  }
}

/** The answer's body; throws if it is longer than `limit`. */
export async function bytes(body: Readable, limit: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length
    if (size > limit) {
      body.destroy()
      throw new Error(`the answer is longer than ${limit} bytes`)
    }
    parts.push(part)
  }
  return Buffer.concat(parts)
}
