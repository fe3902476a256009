import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import type { IncomingHttpHeaders, RequestListener, Server, ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import type { Admit } from '../src/adapters/kube/transport/connection.ts'
import type { ClusterAddress } from '../src/adapters/kube/transport/kubeconfig.ts'

/** A file of the test CA. */
export const certificate = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'certificates', `${name}.pem`), 'utf8')

/** An address guard that allows this machine. */
export const admitLocal: Admit = async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }] })

export interface Seen {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  rawHeaders: string[]
  body: string
}

export type Answer = (seen: Seen, response: ServerResponse) => unknown

export interface FakeApi {
  address: ClusterAddress
  server: Server
  /** Requests, without those for the identity of the cluster. */
  seen: Seen[]
  /** The identity that it reports; undefined: `answer` decides. `/clusters/<name>` is another cluster each. */
  uid: string | undefined
  /** Replaces the answers from now on. */
  answer: (next: Answer) => void
  /** Breaks all connections, like a network failure. */
  cut: () => void
  [Symbol.asyncDispose]: () => Promise<void>
}

export const reply = (response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

/** A refusal in the API server's format. */
export const refuse = (
  response: ServerResponse,
  code: number,
  reason: string,
  message = reason,
  headers: Record<string, string> = {},
) => reply(response, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message }, code, headers)

/** A fake API server, over plain HTTP or with a certificate of the test CA. */
export async function fakeApi(first: Answer, tls?: { cert: string; key: string; ca?: string }): Promise<FakeApi> {
  const seen: Seen[] = []
  const sockets = new Set<Socket>()
  let answer = first
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://x')
      const [, cluster = '', path = ''] = /^(?:\/clusters\/([^/]+))?(.*)$/.exec(url.pathname) ?? []
      const one: Seen = {
        method: request.method ?? '',
        path: path || '/',
        query: url.searchParams,
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks).toString('utf8'),
      }
      if (api.uid !== undefined && one.path === '/api/v1/namespaces/kube-system')
        return reply(response, { metadata: { name: 'kube-system', uid: api.uid + cluster } })
      seen.push(one)
      answer(one, response)
    })
  }
  const server = tls ? createHttps({ ...tls, requestCert: tls.ca !== undefined }, listener) : createHttp(listener)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const cut = () => sockets.forEach((socket) => socket.destroy())
  const api: FakeApi = {
    address: {
      server: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
      ca: tls ? certificate('ca') : undefined,
      auth: { kind: 'token', token: 'test-token' },
      tlsServerName: undefined,
    },
    server,
    seen,
    uid: randomUUID(),
    answer: (next) => {
      answer = next
    },
    cut,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        cut()
      }),
  }
  return api
}
