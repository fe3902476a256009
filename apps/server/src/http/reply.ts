import { once } from 'node:events'
import type { Readable } from 'node:stream'

/** The answer of an endpoint with `stream`. */
export class StreamReply {
  readonly body: Readable
  readonly headers: Record<string, string>

  /** `headers` may name the length, a file name, a content type that differs from the endpoint's. */
  constructor(body: Readable, headers: Record<string, string> = {}) {
    this.body = body
    this.headers = headers
  }
}

/** Sends the browser elsewhere, as OAuth wants it. */
export class RedirectReply {
  readonly location: string

  constructor(location: string) {
    this.location = location
  }
}

export const stream = (body: Readable, headers?: Record<string, string>): StreamReply => new StreamReply(body, headers)
export const redirect = (location: string): RedirectReply => new RedirectReply(location)

/** Until a stream has something to send, or has nothing: what fails before is refused as any other call is. */
export async function begun({ body }: StreamReply, signal: AbortSignal): Promise<void> {
  if (body.readableLength === 0 && !body.readableEnded) await once(body, 'readable', { signal })
}

/** For a download's header: the name as it is for those who read RFC 6266, ASCII for the others. */
export const attachment = (name: string): string =>
  `attachment; filename="${name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`
