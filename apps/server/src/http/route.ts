import { Readable } from 'node:stream'
import { callOf, type Endpoint, isInBody, isWrite } from '@gantry/contract/endpoint'
import { mediaType, tenantHeader } from '@gantry/contract/envelope'
import { secretsIn } from '@gantry/contract/secret'
import { isHint } from '@gantry/contract/topic'
import { nameFor } from '@gantry/contract/topic-names'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { rightsIn } from '../identity/access.ts'
import type { Ctx } from '../kernel/context.ts'
import { publishHints } from '../kernel/events/events.ts'
import { Fault } from '../kernel/fault.ts'
import { anonymous, type Caller, redeemTicket } from '../identity/sessions.ts'
import { type Admission, admit, identify } from './admit.ts'
import { writeAuditRow } from './audit-trail.ts'
import { bodyLimit, readUpload } from './body/body.ts'
import { type Cookies, cookiesOf } from './cookies.ts'
import { failure, refusalOf, success } from './errors.ts'
import { type JsonBody, jsonBody, refusePoison, smallBody } from './body/json-body.ts'
import { callerCounter, type CallLimiter, openArrivals, openTurns, refuseSlowly, callerKey } from './limits.ts'
import type { Pressure } from './pressure.ts'
import { awaitFirstBytes, RedirectReply, StreamReply } from './reply.ts'
import { ctxOf, type Server } from './server.ts'

export interface Input<E extends Endpoint> {
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
  /** The body of an endpoint with `upload`; empty where the request has none. */
  upload: Readable
  /** The caller with its session, for logout, switching teams and tickets. Services take the actor from ctx. */
  caller: Caller
  cookies: Cookies
  header: (name: string) => string | undefined
}

type Answer<E extends Endpoint> = z.input<E['data']> | StreamReply | RedirectReply

export type Handler<E extends Endpoint> = (ctx: Ctx, input: Input<E>) => Promise<Answer<E>> | Answer<E>

/** Binds one endpoint: authorize, parse the input, run, parse the output, wrap, audit. */
export type Route = <E extends Endpoint>(endpoint: E, handler: Handler<E>) => void

/** Binds the endpoints of a room. */
export type Routes = (route: Route) => void

const firstOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

/** Refuses callers that accept only other versions of this API. */
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

/** An empty value means absent. Removes the two parameters of every call, and the action that selected the endpoint. */
function queryOf({ action }: Endpoint, query: unknown): Record<string, unknown> {
  refusePoison(query)
  return Object.fromEntries(
    Object.entries(query as Record<string, unknown>).filter(
      ([name, value]) =>
        value !== '' && name !== 'lang' && name !== 'authorization' && (name !== 'action' || action === undefined),
    ),
  )
}

interface Ticketed {
  authorization?: unknown
}

/** Refuses a GET with an effect if a browser makes it for another site's page or as a prefetch. */
function refuseForgedGet(endpoint: Endpoint, request: FastifyRequest): void {
  if (endpoint.method !== 'GET' || endpoint.audit === undefined) return
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') throw new Fault('forbidden', 'cross-site-refused')
  // the ticket of a download was requested with the header, so it takes the place of one
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

/** The header narrows lists to a team of the caller's; any other value is ignored. */
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
  limit: CallLimiter
  /** Reports the outcome of a call, for the metrics. */
  observe: (endpoint: Endpoint, status: number, seconds: number) => void
}

/** Calls of one user that are processed at once: several times what a browser sends. */
const callsEach = 30

interface Bound extends Binding {
  identified: (request: FastifyRequest, find: () => Promise<Caller>) => Promise<Caller>
  /** Reads a body of at most this many bytes, within its caller's limits of bodies at once and in the long run. */
  arrive: <T>(
    caller: Caller,
    ip: string,
    most: number,
    body: (arrived: (bytes: number) => void) => Promise<T>,
  ) => Promise<T>
  /** Runs a part of a call's work that counts against this replica's limits; it must not wait for the network. */
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
    arrive: async ({ actor: { kind, id } }, ip, most, body) => {
      const counts = rateLimit && kind !== 'agent'
      // a login is small, so it is read however many slow bodies arrive from its address
      const leave = counts && most > smallBody ? arrivals(callerKey({ id, ip })) : () => undefined
      try {
        return await body((bytes) => counts && limit.body({ id, ip }, bytes))
      } finally {
        leave()
      }
    },
    work: async (endpoint, { actor }, part) => {
      // an agent's call may be a long poll
      if (endpoint.access === 'agent') return part()
      const entered = async () => {
        const leave = pressure.enter(callOf(endpoint))
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

interface Served<E extends Endpoint = Endpoint> {
  endpoint: E
  handler: Handler<E>
  json: JsonBody<E['body']>
  /** Where the body names the owner: that field, which is validated alone before the caller is authorized. */
  owner: z.ZodType | undefined
}

const ownerIn = ({ access, body }: Endpoint): z.ZodType | undefined =>
  isInBody(access) && body instanceof z.ZodObject ? z.object({ [access.by]: body.shape[access.by] }) : undefined

const served = <E extends Endpoint>(endpoint: E, handler: Handler<E>): Served<E> => ({
  endpoint,
  handler,
  json: jsonBody(endpoint.body),
  owner: ownerIn(endpoint),
})

/** Handles one request, from authentication to the answer. */
async function serve<E extends Endpoint>(
  { server, identified, arrive, work }: Bound,
  { endpoint, handler, json, owner }: Served<E>,
  request: FastifyRequest,
  reply: FastifyReply,
  ctx: Ctx,
): Promise<unknown> {
  refuseForgedGet(endpoint, request)
  refuseVersion(request.headers.accept)
  const caller = await work(endpoint, anonymous, () =>
    identified(request, () => callerOfRequest(server, endpoint, request)),
  ).catch((error: unknown) => refuseSlowly(error, ctx.signal))
  ctx.actor = caller.actor
  if (caller.actor.kind === 'agent') server.credential?.admit?.((name) => firstOf(request.headers[name]))
  refusePoison(request.params)
  const params = endpoint.params.parse({ ...(request.params as object) }, { reportInput: true }) as z.output<
    E['params']
  >
  const admitBy = (admission: Admission, named: unknown) =>
    work(endpoint, caller, async () => {
      ctx.teamId = await admit(server, caller, admission, named as Record<string, unknown>)
      if (ctx.teamId === undefined) ctx.tenantId = await tenantOf(server, caller, request.headers[tenantHeader])
    })
  await admitBy(owner ? { ...endpoint, access: 'user', forTokens: endpoint.forTokens !== false } : endpoint, params)
  const incoming = {
    stream: request.body as Readable | undefined,
    contentType: request.contentType,
    contentEncoding: request.headers['content-encoding'],
    contentLength: request.headers['content-length'],
  }
  const query = endpoint.query.parse(queryOf(endpoint, request.query), { reportInput: true }) as z.output<E['query']>
  const takes = endpoint.upload ?? (endpoint.method === 'GET' ? 0 : json.limit)
  const { body, upload } = await arrive(caller, ctx.ip, takes, async (arrived) => {
    // An upload and a GET have no JSON body.
    const none = { ...incoming, stream: undefined }
    const given = endpoint.upload === undefined && endpoint.method !== 'GET' ? incoming : none
    return {
      body: await json.read(given, arrived, async (value) => {
        if (owner) await admitBy(endpoint, owner.parse(value, { reportInput: true }))
      }),
      upload: endpoint.upload === undefined ? Readable.from([]) : await readUpload(incoming, endpoint.upload),
    }
  })
  secretsIn(endpoint.body, body).forEach(ctx.told.add)
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
    const answer = await work(endpoint, caller, async () => {
      const given = await handler(ctx, input)
      return given instanceof StreamReply || given instanceof RedirectReply ? given : success(parseOut(endpoint, given))
    })
    if (answer instanceof StreamReply) await awaitFirstBytes(answer, ctx.signal)
    await publishChange(ctx, endpoint, { ...(params as object), ...(owner?.parse(body) as object | undefined) })
    return answer
  } finally {
    upload.destroy()
  }
}

/**
 * Publishes to the hints that a write names, after the write, so that whoever reads again finds it done. A failure does
 * not fail the write. If this replica stops in between, other pages than the writer's are late until their next read.
 */
async function publishChange(ctx: Ctx, endpoint: Endpoint, named: object): Promise<void> {
  if (!isWrite(endpoint)) return
  const given = { named: named as Record<string, unknown>, teamId: ctx.teamId, userId: ctx.actor.id }
  const names = endpoint.topics.filter(isHint).flatMap((topic) => nameFor(topic, endpoint, given) ?? [])
  await publishHints(ctx, names).catch((error: unknown) => {
    ctx.log.error({ err: error, call: callOf(endpoint) }, 'what a write changed could not be published')
  })
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

/** The answer to an unknown action, once the caller was authenticated: it reveals nothing about the object. */
const unknownAction = ({ method, path, params }: Endpoint, actions: Iterable<string>): Served =>
  served(
    {
      method,
      path,
      params,
      access: 'user',
      forTokens: true,
      whileViewing: true,
      summary: '',
      query: z.unknown(),
      body: z.unknown(),
      data: z.never(),
      topics: [],
    },
    () => {
      throw new Fault('invalid', 'action-unknown', { actions: [...actions].join(', ') })
    },
  )

/**
 * Binds endpoints that share a method and a path as one route. The call's action selects one; a call without an action
 * gets the endpoint without one.
 */
function byAction(serveAt: (endpoint: Endpoint, choose: (request: FastifyRequest) => Served) => void) {
  const routes = new Map<string, Map<string | undefined, Served>>()
  return (served: Served) => {
    const { endpoint } = served
    const at = `${endpoint.method} ${endpoint.path}`
    const actions = routes.get(at) ?? new Map<string | undefined, Served>()
    if (actions.has(endpoint.action)) throw new Error(`${callOf(endpoint)} is bound twice`)
    actions.set(endpoint.action, served)
    if (routes.has(at)) return
    routes.set(at, actions)
    serveAt(endpoint, ({ query }) => {
      const plain = actions.get(undefined)
      const { action } = query as { action?: unknown }
      if (plain && (action === undefined || actions.size === 1)) return plain
      const named = [...actions.keys()].filter((name) => name !== undefined)
      return actions.get(String(action)) ?? unknownAction(endpoint, named)
    })
  }
}

export function binder(app: FastifyInstance, binding: Binding): Route {
  const { server, observe } = binding
  const shared = bound(binding)
  const serveAt = ({ method, path }: Endpoint, choose: (request: FastifyRequest) => Served) =>
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const chosen = choose(request)
        const { endpoint } = chosen
        const startedAt = Date.now()
        // an agent's call may be a long poll, which the agent repeats; a user's call may finish
        const end = endpoint.access === 'agent' ? server.draining : server.ended
        const ended = AbortSignal.any([abortedByClient(reply), end.signal])
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
          answer = await serve(shared, chosen, request, reply, ctx)
        } catch (error) {
          const refusal = refusalOf(error, ctx.lang, ctx.requestId)
          if (refusal.unforeseen && (reply.raw.destroyed || request.raw.socket.destroyed))
            ctx.log.debug({ err: error }, 'a caller went before its answer')
          else if (refusal.unforeseen) ctx.log.error({ err: error, call: callOf(endpoint) }, 'a call failed')
          ;[status, message, answer] = [refusal.status, refusal.key, failure(ctx, refusal)]
          reply.code(status)
          if (leavesMuchUnread(request)) reply.header('connection', 'close')
          if (refusal.retryAfter !== undefined) reply.header('retry-after', refusal.retryAfter)
          if (refusal.authenticate !== undefined) reply.header('www-authenticate', refusal.authenticate)
        }
        // discards an unread body, so that the connection is free for its next call
        request.raw.unpipe()
        request.raw.resume()
        await writeAuditRow({ ctx, endpoint, url: request.url, startedAt, status, message })
        observe(endpoint, status, (Date.now() - startedAt) / 1000)
        await send(endpoint, reply, answer)
        return reply
      },
    })
  const bind = byAction(serveAt)
  return (endpoint, handler) => bind(served(endpoint, handler))
}

/** Such an answer closes the connection: to read on would mean to accept what was refused. */
const leavesMuchUnread = ({ raw, headers }: FastifyRequest): boolean =>
  !raw.complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bodyLimit)

/** Strips undeclared fields. An answer of the wrong shape is the server's fault: 500, and the log says where. */
function parseOut(endpoint: Endpoint, data: unknown): unknown {
  const parsed = endpoint.data.safeParse(data)
  if (parsed.success) return parsed.data
  throw new Error(`${callOf(endpoint)} answered another shape than it declares: ${parsed.error.message}`)
}

/** Aborted when the connection closes before the answer was sent. */
function abortedByClient({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}
