import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { ApiError, notAllowed, notFound } from '../objects/status.ts'
import { isAllowed, mustRead, refuse } from './access.ts'
import { serveProxy, servePublished } from './answer.ts'
import { send, sendText, type Call } from './call.ts'
import { type ApiOptions, attributesOf, userOf } from './caller.ts'
import { discovery } from './discovery.ts'
import { serveEviction } from './evict.ts'
import { serveLog } from './containers/logs.ts'
import { metrics, metricsTarget } from './metrics.ts'
import { serveNodeProxy } from './node-proxy.ts'
import { targetOf, type Target } from './request.ts'
import { serveResource, verbOf } from './resources.ts'
import { serveReview } from './reviews.ts'
import { serveTokenRequest } from './tokens.ts'

async function serve(options: ApiOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://sandbox')
  const { pathname, searchParams: query } = url
  const { cluster, programs, token, stopped } = options
  if (pathname.startsWith('/sandbox/services/')) return servePublished(cluster, response, pathname)
  const user = userOf(options, request)
  if (/^\/(livez|readyz|healthz)$/.test(pathname)) {
    mustRead(cluster, user, pathname)
    return sendText(response, 200, 'ok')
  }

  const call: Call = { cluster, programs, request, response, query, user, stopped }
  if (await serveReview(call, pathname)) return
  const measured = metricsTarget(pathname)
  if (measured) {
    const attributes = {
      verb: verbOf(request.method ?? 'GET', query, measured.name),
      group: 'metrics.k8s.io',
      ...measured,
    }
    if (!isAllowed(cluster, user, attributes))
      refuse(user, attributes, { group: attributes.group, plural: measured.resource })
    return send(response, 200, metrics(cluster, measured, query))
  }
  const document = request.method === 'GET' ? discovery(pathname) : undefined
  const target = document ? undefined : targetOf(pathname)
  if (!target) {
    mustRead(cluster, user, pathname)
    return document ? send(response, 200, document) : sendText(response, 404, '404 page not found\n')
  }
  const attributes = attributesOf(target, request.method ?? 'GET', query)
  if (!isAllowed(cluster, user, attributes)) refuse(user, attributes, target.kind)
  await serveTarget({ ...call, target }, token)
}

async function serveTarget(call: Call & { target: Target }, key: string): Promise<void> {
  const { target, request } = call
  const { name = '', namespace = '', subresource, rest } = target
  switch (subresource) {
    case 'log':
      if (request.method !== 'GET') throw notAllowed()
      return serveLog(call)
    case 'exec':
      // Streams arrive as an upgrade, which the server below handles before this.
      throw new ApiError(400, 'BadRequest', 'you must specify at least 1 of stdin, stdout, stderr')
    case 'proxy':
      if (target.kind.resource === 'nodes') return serveNodeProxy(call)
      return serveProxy(call, namespace, name, rest)
    case 'eviction':
      if (request.method !== 'POST') throw notAllowed()
      return serveEviction(call)
    case 'token':
      if (request.method !== 'POST') throw notAllowed()
      return serveTokenRequest(call, key)
    case 'binding':
    case 'finalize':
      throw notFound(target.kind, name)
    default:
      return serveResource(call)
  }
}

/** The simulated Kubernetes API. */
export function apiServer(options: ApiOptions): Server {
  const server = createServer((request, response) => {
    serve(options, request, response).catch((error: unknown) => {
      if (!(error instanceof ApiError)) options.onError(error)
      if (response.headersSent) return void response.destroy()
      const status = error instanceof ApiError ? error.status : internal().status
      send(response, status.code ?? 500, status)
    })
  })
  server.on('upgrade', (request, socket, head) => {
    // Loaded with the first terminal: most sandboxes never have one.
    import('./containers/exec.ts')
      .then(({ serveExec }) => serveExec(options, request, socket, head))
      .catch((error: unknown) => {
        options.onError(error)
        socket.destroy()
      })
  })
  return server
}

const internal = (): ApiError =>
  new ApiError(500, 'InternalError', 'Internal error occurred: the sandbox failed; its log says why')
