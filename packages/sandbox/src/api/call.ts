import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Cluster } from '../cluster.ts'
import type { Programs } from '../node/programs.ts'
import type { User } from './access.ts'
import type { Target } from './request.ts'

/** An authenticated request, and what is needed to answer it. */
export interface Call {
  cluster: Cluster
  programs: Programs
  request: IncomingMessage
  response: ServerResponse
  query: URLSearchParams
  user: User
  /** Aborts when the sandbox ends. */
  stopped: AbortSignal
}

export interface ResourceCall extends Call {
  target: Target
}

export function send(response: ServerResponse, code: number, body: unknown): void {
  const text = `${JSON.stringify(body)}\n`
  response.writeHead(code, {
    'content-type': 'application/json',
    'cache-control': 'no-cache, private',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

export function sendText(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}
