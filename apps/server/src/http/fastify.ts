import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Lang } from '../kernel/context.ts'
import { Fault } from '../kernel/fault.ts'
import { withoutSecretQuery } from '../kernel/secrets/masking.ts'
import { anonymous } from '../identity/sessions.ts'
import { failure, langOf, refusalOf, refusalOfClient, refuseRaw } from './errors.ts'
import { refuseTwoHosts } from './headers.ts'
import type { Server } from './server.ts'

declare module 'fastify' {
  interface FastifyRequest {
    lang: Lang
    /** As the caller sent it; the framework is given another one, so that it passes the body on unread. */
    contentType: string | undefined
  }
}

/** Compression shrinks a list to a tenth. What fits in two packets arrives no sooner when it is compressed. */
const worthCompressing = 2 * 1024
const asGzip = (text: string): Promise<Buffer> => promisify(gzip)(text, { level: constants.Z_BEST_SPEED })

/** While the server drains, only health is answered; a refused call is repeated at another replica. */
function refuseWhileDraining({ draining }: Server, request: FastifyRequest): void {
  if (draining.signal.aborted && request.url !== '/livez' && request.url !== '/readyz')
    throw new Fault('unavailable', 'server-draining', { seconds: 2 })
}

/**
 * The framework, so configured that every answer has our form: language, request id, the envelope of its own errors.
 */
export function openFastify(server: Server): FastifyInstance {
  const { config, log, draining } = server
  const tls = config.tls && { key: readFileSync(config.tls.key), cert: readFileSync(config.tls.cert) }
  const options = {
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    routerOptions: { maxParamLength: 2_000, ignoreTrailingSlash: false },
    exposeHeadRoutes: false,
    genReqId: () => randomUUID(),
    // These errors occur before any hook runs: a path that cannot be decoded, or a part of it that is too long.
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const refusal = { status: 400, key: 'path-invalid', vars: {}, problems: null } as const
      const lang = langOf(undefined, request.headers['accept-language'])
      void reply.code(400).send(failure({ ...anonymous, lang }, refusal))
    },
    // There is no request yet, so its caller and target are unknown.
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
      refuseRaw(socket, { ...anonymous, lang: 'en' }, refusalOfClient(error), randomUUID())
    },
    // bodies have their own deadlines, which differ for uploads and forms, and answers may take their time
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle' as const,
    return503OnClosing: false,
    logger: false as const,
    ...(tls ? { https: tls } : {}),
  }
  // the type of the instance depends on TLS, but none of our code does
  const app = Fastify(options) as unknown as FastifyInstance
  app.decorateRequest('lang', 'en')
  app.decorateRequest('contentType', undefined)
  app.addHook('onRequest', async (request, reply) => {
    const { lang } = request.query as { lang?: unknown }
    request.lang = langOf(typeof lang === 'string' ? lang : undefined, request.headers['accept-language'])
    request.contentType = request.headers['content-type']
    if (request.headers['content-type'] !== undefined) request.headers['content-type'] = 'application/octet-stream'
    reply.header('x-request-id', request.id)
    refuseWhileDraining(server, request)
    refuseTwoHosts(request.raw.rawHeaders)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    // Otherwise the connection would be kept alive, and closing would wait for it.
    if (draining.signal.aborted) reply.header('connection', 'close')
    if (typeof payload !== 'string' || payload.length < worthCompressing || reply.hasHeader('content-encoding'))
      return payload
    reply.header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return payload
    reply.header('content-encoding', 'gzip').removeHeader('content-length')
    return asGzip(payload)
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error, request.lang, request.id)
    if (refusal.unforeseen)
      log.error({ err: error, requestId: request.id, url: withoutSecretQuery(request.url) }, 'a request failed')
    if (refusal.retryAfter !== undefined) void reply.header('retry-after', refusal.retryAfter)
    return reply.code(refusal.status).send(failure({ ...anonymous, lang: request.lang }, refusal))
  })
  return app
}
