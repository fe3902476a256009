import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Kube } from '../kube/client.ts'
import { KubeError } from '../kube/errors.ts'

/** The namespace that the program may write to; `anywhere` if an administrator has allowed all. */
export interface GatewayOptions {
  namespace: string
  anywhere: boolean
}

export interface Gateway {
  /** A kubeconfig with the gateway's address, which contains a secret that is of no use elsewhere. */
  kubeconfig: string
  close: () => Promise<void>
}

const maxBytes = 8 * 1_048_576
/** Milliseconds until the cluster must have begun to answer. */
const budget = 30_000
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof methods)[number]

/** Whether it is a read, or a write within the release's namespace. Whether it is permitted, the cluster decides. */
export function mayPass(method: string, path: string, { namespace, anywhere }: GatewayOptions): boolean {
  if (/%2f|%2e|\/\.\.?(\/|$)|\/\//i.test(path) || !path.startsWith('/')) return false
  if (anywhere || method === 'GET') return true
  const [, inside] = /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\/namespaces\/([^/]+)\/[^/]/.exec(path) ?? []
  return inside === namespace
}

function refuse(response: ServerResponse, code: number, reason: string, message: string): void {
  response
    .writeHead(code, { 'content-type': 'application/json' })
    .end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message }))
}

const isMethod = (method: string | undefined): method is Method => methods.some((known) => known === method)

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined
  const body = await buffer(request)
  return body.length > maxBytes ? undefined : body
}

/**
 * Opens an address on loopback for one run of a program. It passes requests on to the cluster, however that is
 * connected, in the name of `kube`. Only accepted type, content type and body are passed on, so that no header of the
 * program acts for another user. The program gets no credential of the cluster.
 */
export async function openGateway(kube: Kube, reach: GatewayOptions): Promise<Gateway> {
  /** Part of the address, because Kubernetes' clients send tokens over TLS only. */
  const secretPath = `/${randomBytes(32).toString('base64url')}`
  const over = new AbortController()

  async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith(`${secretPath}/`) !== true) return refuse(response, 401, 'Unauthorized', 'no')
    const target = request.url.slice(secretPath.length)
    const path = target.split('?', 1)[0] ?? ''
    if (!isMethod(request.method)) return refuse(response, 405, 'MethodNotAllowed', 'the method is not passed on')
    if (!mayPass(request.method, path, reach))
      return refuse(response, 403, 'Forbidden', `${path} is outside of the namespace ${reach.namespace}`)
    const body = await bodyOf(request)
    if (body === undefined) return refuse(response, 413, 'RequestEntityTooLarge', 'the object is too large')
    const left = new AbortController()
    response.once('close', () => left.abort())
    const contentType = request.headers['content-type']
    const answer = await kube.pass({
      method: request.method,
      path: target,
      ...(body.length > 0 && { bytes: body }),
      ...(contentType !== undefined && { contentType }),
      accept: request.headers.accept ?? 'application/json',
      budget,
      signal: AbortSignal.any([left.signal, over.signal]),
    })
    response.writeHead(answer.status, { 'content-type': answer.contentType })
    await pipeline(answer.body, response)
  }

  const server = createServer((request, response) => {
    passOn(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else
        refuse(
          response,
          503,
          'ServiceUnavailable',
          error instanceof KubeError ? error.message : 'the cluster is not reached',
        )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    // JSON is valid YAML
    kubeconfig: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'gateway', cluster: { server: `http://127.0.0.1:${port}${secretPath}` } }],
      users: [{ name: 'gateway', user: {} }],
      contexts: [{ name: 'gateway', context: { cluster: 'gateway', user: 'gateway', namespace: reach.namespace } }],
      'current-context': 'gateway',
    }),
    close: async () => {
      over.abort()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
