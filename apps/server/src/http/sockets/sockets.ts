import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Access, endpoint } from '@gantry/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import type { Actor, Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { anonymous, type Caller, findAgain, redeemTicket } from '../../identity/sessions.ts'
import { addressOf } from '../address.ts'
import { type Admission, admit, agentBy, identify } from '../admit.ts'
import { writeAuditRow } from '../audit-trail.ts'
import { langOf, refusalOf, refuseRaw } from '../errors.ts'
import { refuseTwoHosts } from '../headers.ts'
import { callerCounter, refuseSlowly } from '../limits.ts'
import { reauthorizeSockets } from './reauthorization.ts'
import type { Binding } from '../route.ts'
import { type Credential, ctxOf, type Server } from '../server.ts'

/** Codes with which the server closes a websocket: RFC 6455, section 7.4. */
export const closeCodes = { policy: 1008, broken: 1011, restart: 1012, tryLater: 1013 } as const

export interface SocketSpec<P extends z.ZodType = z.ZodType, Q extends z.ZodType = z.ZodType> {
  /** The whole path, parameters as `:name`. Opened with a ticket for GET and this path in `?authorization=`. */
  path: `/${string}`
  access: Access
  /** With access `agent`: whose tokens are accepted instead of those of build agents. */
  credential?: Credential
  params?: P
  query?: Q
  /** The audit action: one row when the socket closes, and one for each refusal. */
  audit?: string
  /** Maximum bytes of a frame from the client; a longer one closes with 1009. Default: 64 kB. */
  maxFrame?: number
}

export interface SocketInput<P extends z.ZodType, Q extends z.ZodType> {
  params: z.output<P>
  query: z.output<Q>
  caller: Caller
  /** `look` is called when permissions may have changed and the socket may stay, for what else depends on them. */
  onReauthorize: (look: () => Promise<void>) => void
}

/** `open` is called once the caller is authorized. ctx.signal is aborted when the socket closes. */
export type Socket = <P extends z.ZodType = z.ZodObject, Q extends z.ZodType = z.ZodObject>(
  spec: SocketSpec<P, Q>,
  open: (ctx: Ctx, ws: WebSocket, input: SocketInput<P, Q>) => void | Promise<void>,
) => void

/** Binds the sockets of a room. */
export type Sockets = (socket: Socket) => void

const limits = { total: 10_000, perCaller: 100 }
const defaultFrame = 64 * 1024
const beatMs = 20_000
/** How long a client whose permission was revoked may take to answer the close. */
const shutMs = 1_000

interface Bound {
  spec: SocketSpec
  pattern: RegExp
  names: string[]
  open: (ctx: Ctx, ws: WebSocket, input: SocketInput<z.ZodType, z.ZodType>) => void | Promise<void>
}

interface Connection {
  ws: WebSocket
  ctx: Ctx
  caller: Caller
  bound: Bound
  params: Record<string, unknown>
  /** Aborts ctx.signal. */
  end: () => void
  alive: boolean
  looks: (() => Promise<void>)[]
}

const nothing = z.strictObject({})

/** The audit action of a refusal, for a socket that has no action of its own. */
export const refusedSocket = 'socket.refuse'

function bind(spec: SocketSpec, open: Bound['open']): Bound {
  const names = [...spec.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
  return { spec, names, open, pattern: new RegExp(`^${spec.path.replaceAll(/:\w+/g, '([^/]+)')}$`) }
}

const pathInvalid = () => new Fault('invalid', 'path-invalid')

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw pathInvalid()
  }
}

/**
 * Refuses pages of other origins. Allowed is the host that the browser called, or the public address. A request without
 * an Origin header is not from a browser's page.
 */
function refuseForeignPage({ publicUrl }: Server['config'], { origin, host }: IncomingMessage['headers']): void {
  if (origin === undefined) return
  const from = URL.parse(origin)
  const known = publicUrl === undefined ? undefined : URL.parse(publicUrl)?.origin
  if (from === null || (from.host !== host && from.origin !== known)) throw new Fault('forbidden', 'origin-refused')
}

async function callerOf(server: Server, { spec }: Bound, request: IncomingMessage, url: URL): Promise<Caller> {
  if (spec.credential) {
    const agent = await agentBy(server, spec.credential, request.headers.authorization)
    if (!agent) throw new Fault('unauthenticated', 'tunnel-token-over')
    return agent
  }
  const ticket = url.searchParams.get('authorization')
  if (ticket === null) return identify(server, request.headers.authorization, spec.access)
  const caller = await redeemTicket(server.database.db, ticket.replace(/^Bearer /i, ''), 'GET', url.pathname)
  if (!caller) throw new Fault('unauthenticated', 'ticket-invalid')
  return caller
}

function refuse(
  socket: Duplex,
  ctx: Pick<Ctx, 'lang' | 'requestId' | 'actor'>,
  error: unknown,
): { status: number; key: string } {
  const refusal = refusalOf(error, ctx.lang, ctx.requestId)
  refuseRaw(socket, ctx, refusal, ctx.requestId)
  return refusal
}

export interface OpenSockets {
  count: () => number
  /** Tells every client to reconnect soon, and waits until they are gone. */
  close: () => Promise<void>
}

/**
 * Handles the upgrades of the listening server: who may open a socket, how many and for how long. A revoked permission
 * closes a socket. `limit` counts upgrades among the calls of their caller.
 */
export function openSockets(
  app: FastifyInstance,
  server: Server,
  declare: Sockets[],
  limit: Binding['limit'],
): OpenSockets {
  const bounds: Bound[] = []
  const socket: Socket = (spec, open) => void bounds.push(bind(spec, open))
  for (const sockets of declare) sockets(socket)

  const servers = new Map(
    bounds.map((bound) => [
      bound,
      // compression is off: a few bytes could become megabytes of memory
      new WebSocketServer({
        noServer: true,
        perMessageDeflate: false,
        // one message per turn of the event loop: thousands of tiny ones in a packet delay nothing else
        allowSynchronousEvents: false,
        maxPayload: bound.spec.maxFrame ?? defaultFrame,
      }),
    ]),
  )
  const counted = callerCounter(limit)
  const connections = new Set<Connection>()
  /** Upgrades that are being authorized. They count already, so that concurrent upgrades cannot exceed the limits. */
  const arriving = new Map<Ctx, Actor>()

  function keep(connection: Connection): void {
    const { ws, ctx, caller } = connection
    connections.add(connection)
    for (const event of ['pong', 'message'] as const) ws.on(event, () => (connection.alive = true))
    ws.on('error', (error) => ctx.log.debug({ err: error }, 'a websocket failed'))
    const expiry =
      caller.session &&
      setTimeout(() => void reauthorize(connection), Date.parse(caller.session.expiresAt) - Date.now() + 1_000)
    ws.once('close', () => {
      clearTimeout(expiry)
      connections.delete(connection)
    })
  }

  /** Throws the refusal; returns the arguments of `open`. */
  async function admitUpgrade(ctx: Ctx, bound: Bound | undefined, request: IncomingMessage, url: URL | null) {
    refuseTwoHosts(request.rawHeaders)
    if (url === null) throw pathInvalid()
    if (!bound) throw new Fault('missing', 'path-missing', { method: 'GET', path: url.pathname.slice(0, 200) })
    if (server.draining.signal.aborted) throw new Fault('unavailable', 'server-draining')
    const find = async () => {
      refuseForeignPage(server.config, request.headers)
      return callerOf(server, bound, request, url)
    }
    const showsToken = request.headers.authorization !== undefined || url.searchParams.has('authorization')
    // a refusal leaves an audit row: repeated refusals count against the address
    const caller = server.config.rateLimit
      ? await counted(ctx.ip, showsToken, find).catch((error: unknown) => refuseSlowly(error, ctx.signal))
      : await find()
    ctx.actor = caller.actor
    const all = [...arriving.values(), ...Array.from(connections, ({ caller: { actor } }) => actor)]
    const own = all.filter(({ kind, id }) => kind === caller.actor.kind && id === caller.actor.id)
    if (all.length >= limits.total || own.length >= limits.perCaller)
      throw new Fault('tooMany', 'rate-limited', { seconds: 10 })
    arriving.set(ctx, caller.actor)
    const found = bound.pattern.exec(url.pathname)?.slice(1).map(decoded) ?? []
    const named = Object.fromEntries(bound.names.map((name, at) => [name, found[at]]))
    const params = (bound.spec.params ?? nothing).parse(named, { reportInput: true }) as Record<string, unknown>
    const { authorization: _ticket, lang: _lang, ...rest } = Object.fromEntries(url.searchParams)
    const query = (bound.spec.query ?? nothing).parse(rest, { reportInput: true })
    ctx.teamId = await admit(server, caller, admissionOf(bound.spec), params)
    return { bound, caller, params, query }
  }

  async function onUpgrade(request: IncomingMessage, raw: Duplex, head: Buffer): Promise<void> {
    const startedAt = Date.now()
    const ended = new AbortController()
    const url = URL.parse(request.url ?? '/', 'http://localhost')
    const ctx = ctxOf(server, {
      actor: anonymous.actor,
      lang: langOf(url?.searchParams.get('lang') ?? undefined, request.headers['accept-language']),
      requestId: randomUUID(),
      ip: addressOf(server.config, request),
      userAgent: request.headers['user-agent'],
      signal: AbortSignal.any([ended.signal, server.draining.signal]),
    })
    const bound = url === null ? undefined : bounds.find(({ pattern }) => pattern.test(url.pathname))
    const trail = (status: number, message: string, audit = bound?.spec.audit) =>
      bound === undefined || audit === undefined
        ? Promise.resolve()
        : writeAuditRow({
            ctx,
            endpoint: auditOf({ ...bound.spec, audit }),
            url: request.url ?? '',
            startedAt,
            status,
            message,
          })
    try {
      const admitted = await admitUpgrade(ctx, bound, request, url)
      if (raw.destroyed) return
      servers.get(admitted.bound)?.handleUpgrade(request, raw, head, (ws) => {
        const end = () => ended.abort()
        const connection: Connection = { ws, ctx, end, alive: true, looks: [], ...admitted }
        keep(connection)
        ws.once('close', () => {
          end()
          void trail(200, '')
        })
        const { params, query, caller } = admitted
        const onReauthorize = (look: () => Promise<void>) => void connection.looks.push(look)
        const opening = async () => admitted.bound.open(ctx, ws, { params, query, caller, onReauthorize })
        opening().catch((error: unknown) => {
          ctx.log.error({ err: error, path: admitted.bound.spec.path }, 'a websocket could not be served')
          ws.close(closeCodes.broken)
        })
      })
    } catch (error) {
      const { status, key } = refuse(raw, ctx, error)
      if (status === 500) ctx.log.error({ err: error }, 'an upgrade failed')
      const refused = status === 401 || status === 403 ? refusedSocket : undefined
      await trail(status, key, bound?.spec.audit ?? refused)
    } finally {
      arriving.delete(ctx)
    }
  }

  app.server.on('upgrade', (request: IncomingMessage, raw: Duplex, head: Buffer) => {
    raw.on('error', () => raw.destroy())
    onUpgrade(request, raw, head).catch((error: unknown) => {
      server.log.error({ err: error }, 'an upgrade failed before it was answered')
      raw.destroy()
    })
  })

  /** Closes the socket if its caller's permission was revoked; none is closed while the database is unreachable. */
  async function reauthorize(connection: Connection): Promise<void> {
    const { ws, ctx, bound, params } = connection
    if (ws.readyState !== ws.OPEN) return
    try {
      const caller = await findAgain(server.database.db, connection.caller)
      if (!caller) return shut(connection, 'session-over')
      await admit(server, caller, admissionOf(bound.spec), params)
      ctx.actor = caller.actor
      for (const look of connection.looks) await look()
    } catch (error) {
      if (error instanceof Fault) shut(connection, error.key)
      else ctx.log.warn({ err: error }, 'the rights of a websocket could not be asked again')
    }
  }

  const stopReauthorizing = reauthorizeSockets(server, connections, reauthorize)
  const beating = setInterval(() => {
    for (const connection of connections) {
      const { ws } = connection
      // A paused socket cannot answer a ping.
      if (!connection.alive && !ws.isPaused) ws.terminate()
      connection.alive = ws.isPaused
      ws.ping()
    }
  }, beatMs)
  beating.unref()

  return {
    count: () => connections.size,
    close: async () => {
      stopReauthorizing()
      clearInterval(beating)
      const open = [...connections]
      const gone = open.map(({ ws }) => new Promise((resolve) => ws.once('close', resolve)))
      for (const { ws } of open) ws.close(closeCodes.restart, 'restart')
      const slow = setTimeout(() => open.forEach(({ ws }) => ws.terminate()), 2_000)
      await Promise.all(gone)
      clearTimeout(slow)
    },
  }
}

/** Stops reading at once: a closing websocket would still deliver what the peer sends. */
function shut({ ws, end }: Connection, reason: string): void {
  ws.removeAllListeners('message')
  end()
  ws.close(closeCodes.policy, reason)
  setTimeout(() => ws.terminate(), shutMs).unref()
}

/** A socket with an audit action (a terminal) does more than read. API tokens may open the push channel. */
const admissionOf = ({ access, audit }: SocketSpec): Admission => ({
  access,
  method: 'GET',
  forTokens: true,
  ...(audit === undefined ? {} : { audit }),
})

/** A socket in the shape of an endpoint, for the audit trail. */
const auditOf = ({ path, access, audit = '' }: SocketSpec) =>
  endpoint({ method: 'GET', path, access, audit, summary: '', data: z.unknown(), topics: [] })
