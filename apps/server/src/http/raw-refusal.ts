import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Hearer } from '../kernel/phrase.ts'
import { failure, type Refusal } from './errors.ts'

/** Answers on a connection that is no request of the framework's: not one yet, or not one any more. The connection ends with it. */
export function refuseRaw(socket: Duplex, to: Hearer, refusal: Refusal, requestId: string): void {
  const body = JSON.stringify(failure(to, refusal))
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
      'connection: close',
      'content-type: application/json; charset=utf-8',
      'cache-control: no-store',
      `x-request-id: ${requestId}`,
      ...(refusal.retryAfter === undefined ? [] : [`retry-after: ${refusal.retryAfter}`]),
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  )
}

/** What Node's parser could not read as a request, or did not want to read on. */
export function refusalOfClient({ code }: NodeJS.ErrnoException): Refusal {
  const one = (status: number, key: Refusal['key']): Refusal => ({ status, key, vars: {}, problems: null })
  if (code === 'HPE_HEADER_OVERFLOW') return one(431, 'request-headers-too-large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return one(408, 'request-too-slow')
  return one(400, 'request-not-http')
}
