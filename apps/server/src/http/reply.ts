import { once } from 'node:events'
import type { Readable } from 'node:stream'

/** The answer of an endpoint with `stream`. */
export class StreamReply {
  readonly body: Readable
  readonly headers: Record<string, string>

  /** `headers` may set the length, a file name, a content type other than the endpoint's. */
  constructor(body: Readable, headers: Record<string, string> = {}) {
    this.body = body
    this.headers = headers
  }
}

/** Redirects the browser, as OAuth requires. */
export class RedirectReply {
  readonly location: string

  constructor(location: string) {
    this.location = location
  }
}

export const stream = (body: Readable, headers?: Record<string, string>): StreamReply => new StreamReply(body, headers)
export const redirect = (location: string): RedirectReply => new RedirectReply(location)

/** Waits until a stream has its first bytes or ends: an earlier failure is refused like any other call's. */
export async function awaitFirstBytes({ body }: StreamReply, signal: AbortSignal): Promise<void> {
  if (body.readableLength === 0 && !body.readableEnded) await once(body, 'readable', { signal })
}

/** The header of a download: the exact name for clients that know RFC 6266, ASCII for the others. */
export const attachment = (name: string): string =>
  `attachment; filename="${name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`
