import { Readable } from 'node:stream'
import type { Endpoint } from '@gantry/contract/endpoint'
import { mediaType, tenantHeader } from '@gantry/contract/envelope'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { rightsIn } from '../kernel/access.ts'
import type { Ctx } from '../kernel/context.ts'
import { Fault } from '../kernel/fault.ts'
import { anonymous, type Caller, redeemTicket } from '../kernel/sessions.ts'
import { admit, identify } from './admit.ts'
import { leaveTrail } from './audit-trail.ts'
import { bodyLimit, readJson, readUpload, refusePoison } from './body.ts'
import { type Cookies, cookiesOf } from './cookies.ts'
import { failure, refusalOf, success } from './errors.ts'
import { callerCounter, openArrivals, openTurns, type Pressure, shareOf } from './limits.ts'
import { RedirectReply, StreamReply } from './reply.ts'
import { ctxOf, type Server } from './server.ts'

export interface Input<E extends Endpoint> {
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
  /** The body of an endpoint with `upload`; ended at once where the request has none. */
  upload: Readable
  /** Who calls, with what: for logout, a team switch, tickets. Services take the actor from ctx. */
  caller: Caller
  cookies: Cookies
  header: (name: string) => string | undefined
}

type Answer<E extends Endpoint> = z.input<E['data']> | StreamReply | RedirectReply

export type Handler<E extends Endpoint> = (ctx: Ctx, input: Input<E>) => Promise<Answer<E>> | Answer<E>

/** Binds one endpoint: who may, parse in, run, parse out, wrap, audit. */
export type Route = <E extends Endpoint>(endpoint: E, handler: Handler<E>) => void

/** What `domains/<domain>/<thing>.routes.ts` exports as `routes`. */
export type Routes = (route: Route) => void

const firstOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

/** Refuses only who asks for another version of ours and would not take this one. */
function refuseVersion(accept: string | undefined): void {
  if (accept === undefined || !/application\/vnd\.gantry\./i.test(accept)) return
  const ranges = accept.split(',').map((range) => range.split(';')[0]?.trim().toLowerCase())
  if (
    !ranges.some(
      (range) => range === mediaType || range === 'application/json' || range === 'application/*' || range === '*/*',
    )
  )
    throw new Fault('notAcceptable', 'version-unsupported', { offered: mediaType })
}

/** Absent and empty are the same; our own two parameters are not the endpoint's. */
function queryOf(query: unknown): Record<string, unknown> {
  refusePoison(query)
  return Object.fromEntries(
    Object.entries(query as Record<string, unknown>).filter(
      ([name, value]) => value !== '' && name !== 'lang' && name !== 'authorization',
    ),
  )
}

function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const absent = body === undefined ? schema.safeParse(undefined) : undefined
  return absent?.success ? absent.data : schema.parse(body === undefined ? {} : body, { reportInput: true })
}

interface Ticketed {
  authorization?: unknown
}

/** A GET that changes something, made by a browser for another site's page or as a prefetch, has no effect. */
function refuseForgedGet(endpoint: Endpoint, request: FastifyRequest): void {
  if (endpoint.method !== 'GET' || endpoint.audit === undefined) return
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') throw new Fault('forbidden', 'cross-site-refused')
  // A ticket for a download was asked for with the header.
  const ticket = endpoint.stream !== undefined && typeof (request.query as Ticketed).authorization === 'string'
  if (request.headers.authorization === undefined && endpoint.access !== 'public' && !ticket)
    throw new Fault('unauthenticated', 'header-required')
}

async function callerOfRequest(server: Server, endpoint: Endpoint, request: FastifyRequest): Promise<Caller> {
  const { authorization } = request.headers
  const ticket = (request.query as Record<string, unknown>)['authorization']
  if (authorization !== undefined || typeof ticket !== 'string' || endpoint.method !== 'GET')
    return identify(server, authorization, endpoint.access)
  const [path = ''] = request.url.split('?')
  const caller = await redeemTicket(server.database.db, ticket, 'GET', path)
  if (!caller) throw new Fault('unauthenticated', 'ticket-invalid')
  return caller
}

/** The header narrows lists to a team of the caller's; anything else in it says nothing. */
async function tenantOf(server: Server, { actor }: Caller, header: unknown): Promise<number | undefined> {
  if (actor.limit) return actor.limit.teamId
  if (actor.kind !== 'user' || typeof header !== 'string' || !/^[1-9]\d{0,8}$/.test(header)) return undefined
  const team = Number(header)
  if (actor.admin) return team
  return (await rightsIn({ db: server.database.db, actor }, team)) ? team : undefined
}

export interface Binding {
  server: Server
  pressure: Pressure
  limit: (caller: { id: number; ip: string }) => void
  /** Tells how a call went, for the metrics. */
  observe: (endpoint: Endpoint, status: number, seconds: number) => void
}

/** Calls of one person that are worked on at once: a few times what a browser sends. */
const callsEach = 30

interface Bound extends Binding {
  identified: (request: FastifyRequest, find: () => Promise<Caller>) => Promise<Caller>
  /** Takes the body in, and a part in what its caller may send at once. */
  arrive: <T>(caller: Caller, ip: string, body: () => Promise<T>) => Promise<T>
  /** A part of what this replica works on; nothing waits for the network in it. */
  work: <T>(endpoint: Endpoint, caller: Caller, part: () => Promise<T>) => Promise<T>
}

function bound(binding: Binding): Bound {
  const { server, pressure, limit } = binding
  const { rateLimit } = server.config
  const counted = callerCounter(limit)
  const arrivals = openArrivals()
  const turns = openTurns(callsEach)
  return {
    ...binding,
    identified: (request, find) => (rateLimit ? counted(request.ip, showsToken(request), find) : find()),
    arrive: async ({ actor: { kind, id } }, ip, body) => {
      const arrived = rateLimit && kind !== 'agent' ? arrivals(shareOf({ id, ip })) : () => undefined
      try {
        return await body()
      } finally {
        arrived()
      }
    },
    work: async ({ access, method, path }, { actor }, part) => {
      // an agent's call may be a long poll
      if (access === 'agent') return part()
      const entered = async () => {
        const leave = pressure.enter(`${method} ${path}`)
        try {
          return await part()
        } finally {
          leave()
        }
      }
      return actor.kind === 'user' ? turns(String(actor.id), entered) : entered()
    },
  }
}

const showsToken = ({ headers, query }: FastifyRequest): boolean =>
  headers.authorization !== undefined || (query as Ticketed).authorization !== undefined

/** Runs one request from its caller to its answer. */
async function serve<E extends Endpoint>(
  { server, identified, arrive, work }: Bound,
  endpoint: E,
  handler: Handler<E>,
  request: FastifyRequest,
  reply: FastifyReply,
  ctx: Ctx,
): Promise<unknown> {
  refuseForgedGet(endpoint, request)
  refuseVersion(request.headers.accept)
  const caller = await work(endpoint, anonymous, () =>
    identified(request, () => callerOfRequest(server, endpoint, request)),
  )
  ctx.actor = caller.actor
  refusePoison(request.params)
  const params = endpoint.params.parse({ ...(request.params as object) }, { reportInput: true }) as z.output<
    E['params']
  >
  await work(endpoint, caller, async () => {
    ctx.teamId = await admit(server, caller, endpoint, params as Record<string, unknown>)
    if (ctx.teamId === undefined) ctx.tenantId = await tenantOf(server, caller, request.headers[tenantHeader])
  })
  const incoming = {
    stream: request.body as Readable | undefined,
    contentType: request.contentType,
    contentEncoding: request.headers['content-encoding'],
    contentLength: request.headers['content-length'],
  }
  const query = endpoint.query.parse(queryOf(request.query), { reportInput: true }) as z.output<E['query']>
  const limit = endpoint.upload
  const json =
    limit === undefined && endpoint.method !== 'GET'
      ? await arrive(caller, ctx.ip, () => readJson(incoming))
      : undefined
  const body = parseBody(endpoint.body, json) as z.output<E['body']>
  const upload =
    limit === undefined ? Readable.from([]) : await arrive(caller, ctx.ip, () => readUpload(incoming, limit))
  const input: Input<E> = {
    params,
    query,
    body,
    upload,
    caller,
    cookies: cookiesOf(server.config, request, reply),
    header: (name) => firstOf(request.headers[name.toLowerCase()]),
  }
  try {
    return await work(endpoint, caller, async () => {
      const given = await handler(ctx, input)
      return given instanceof StreamReply || given instanceof RedirectReply ? given : success(parseOut(endpoint, given))
    })
  } finally {
    upload.destroy()
  }
}

async function send(endpoint: Endpoint, reply: FastifyReply, answer: unknown): Promise<void> {
  if (answer instanceof RedirectReply) return void reply.redirect(answer.location, 302)
  if (answer instanceof StreamReply) {
    return void reply
      .headers({ 'content-type': endpoint.stream ?? 'application/octet-stream', ...answer.headers })
      .send(answer.body)
  }
  return void reply.send(answer)
}

export function binder(app: FastifyInstance, binding: Binding): Route {
  const { server, observe } = binding
  const shared = bound(binding)
  return (endpoint, handler) => {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      handler: async (request, reply) => {
        const startedAt = Date.now()
        // An agent's call may be a long poll, and it comes again; a person's is let to its end.
        const end = endpoint.access === 'agent' ? server.draining : server.ended
        const ended = AbortSignal.any([gone(reply), end.signal])
        const ctx = ctxOf(server, {
          actor: anonymous.actor,
          lang: request.lang,
          requestId: request.id,
          ip: request.ip,
          userAgent: request.headers['user-agent'],
          signal: ended,
        })
        let status = 200
        let message = ''
        let answer: unknown
        try {
          answer = await serve(shared, endpoint, handler, request, reply, ctx)
        } catch (error) {
          const refusal = refusalOf(error, ctx.lang, ctx.requestId)
          if (refusal.unforeseen && (reply.raw.destroyed || request.raw.socket.destroyed))
            ctx.log.debug({ err: error }, 'a caller went before its answer')
          else if (refusal.unforeseen)
            ctx.log.error({ err: error, call: `${endpoint.method} ${endpoint.path}` }, 'a call failed')
          ;[status, message, answer] = [refusal.status, refusal.key, failure(ctx, refusal)]
          reply.code(status)
          if (leavesMuchUnread(request)) reply.header('connection', 'close')
          if (refusal.retryAfter !== undefined) reply.header('retry-after', refusal.retryAfter)
          if (refusal.authenticate !== undefined) reply.header('www-authenticate', refusal.authenticate)
        }
        // What nobody wanted is let go, so that the connection is free for its next call.
        request.raw.unpipe()
        request.raw.resume()
        await leaveTrail({ ctx, endpoint, url: request.url, startedAt, status, message })
        observe(endpoint, status, (Date.now() - startedAt) / 1000)
        await send(endpoint, reply, answer)
        return reply
      },
    })
  }
}

/** Then the connection ends with the answer: reading on would take what was refused after all. */
const leavesMuchUnread = ({ raw, headers }: FastifyRequest): boolean =>
  !raw.complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bodyLimit)

/** Nothing undeclared leaves. An answer of the wrong shape is our fault, not the caller's: 500, and the log says where. */
function parseOut(endpoint: Endpoint, data: unknown): unknown {
  const parsed = endpoint.data.safeParse(data)
  if (parsed.success) return parsed.data
  throw new Error(
    `${endpoint.method} ${endpoint.path} answered another shape than it declares: ${parsed.error.message}`,
  )
}

/** Aborted when the connection closes before the answer was sent. */
function gone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}
