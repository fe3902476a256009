import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ApiOptions } from './server.ts'

export function serveExec(_options: ApiOptions, _request: IncomingMessage, socket: Duplex, _head: Buffer): void {
  socket.end('HTTP/1.1 501 Not Implemented\r\n\r\n')
}
