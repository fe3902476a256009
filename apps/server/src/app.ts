import { randomUUID } from 'node:crypto'
import type { Endpoint } from '@gantry/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Ports } from './adapters/ports.ts'
import type { Config } from './config.ts'
import type { Database } from './db/open.ts'
import { refuseFaultyEndpoints } from './http/promises.ts'
import { openFastify } from './http/fastify.ts'
import { serveHealth } from './http/health.ts'
import { callLimiter, openPressure } from './http/limits.ts'
import { openMetrics } from './http/metrics.ts'
import { serveReference } from './http/reference.ts'
import { secureHeaders } from './http/headers.ts'
import { pushSockets, type Topic } from './http/push.ts'
import { openSockets, type Sockets } from './http/sockets.ts'
import { binder, type Handler, type Route, type Routes } from './http/route.ts'
import { type Credential, ctxOf, type Owner, type Server, type Start } from './http/server.ts'
import { serveConsole } from './http/static.ts'
import { type Actor, type Ctx, systemActor } from './kernel/context.ts'
import { openEvents } from './kernel/events.ts'
import { findEndpoints, findExports } from './kernel/find.ts'
import { housekeeping } from './kernel/housekeeping.ts'
import { type Job, openJobs } from './kernel/jobs.ts'
import { keysOf } from './kernel/secrets.ts'
import { StartError } from './kernel/start-error.ts'

export interface App {
  fastify: FastifyInstance
  server: Server
  /** A context that no request made: for jobs, the first start, tests. */
  ctx: (actor?: Actor) => Ctx
  /** What each start makes sure of, before anyone is answered: the first administrator, the default team. */
  firstThings: () => Promise<void>
  /** Takes up background work. */
  startJobs: () => Promise<void>
  /** Runs the background work that is due. For tests. */
  drainJobs: () => Promise<void>
  /** Lets what is under way end, for at most so long, then ends the rest. */
  close: (withinMs?: number) => Promise<void>
}

export interface AppOptions {
  config: Config
  database: Database
  ports: Ports
  log: Logger
  /** Endpoints beside those of the contract, and their handlers. For tests of the http layer. */
  more?: { endpoints: Endpoint[]; routes: Routes; owners?: Owner[]; topics?: Topic[]; sockets?: Sockets[] }
  /** Leaves out the files of other domains. For tests that need a few. */
  onlyDomains?: string[]
}

/** Collects what the domains' files bind, each endpoint once. */
function collectRoutes(found: { file: string; value: Routes }[]): Map<Endpoint, Handler<Endpoint>> {
  const bound = new Map<Endpoint, Handler<Endpoint>>()
  const calls = new Map<string, string>()
  for (const { file, value: routes } of found) {
    const route: Route = (endpoint, handler) => {
      const call = `${endpoint.method} ${endpoint.path}`
      const other = calls.get(call)
      if (other !== undefined) throw new StartError(`${call} is bound twice: in ${other} and in ${file}`)
      calls.set(call, file)
      bound.set(endpoint, handler)
    }
    routes(route)
  }
  return bound
}

function collectOwners(found: { file: string; value: Owner }[]): Map<string, Owner> {
  const owners = new Map<string, Owner>()
  for (const { file, value: owner } of found) {
    if (owners.has(owner.kind)) throw new StartError(`${file}: the owner of a ${owner.kind} is told twice`)
    owners.set(owner.kind, owner)
  }
  return owners
}

/**
 * The whole server but for its process: everything is found by folder, checked, and bound. Throws a StartError where an
 * endpoint breaks one of the promises of the contract. Listens to nothing yet.
 */
export async function buildApp(options: AppOptions): Promise<App> {
  const { config, database, ports, log, more, onlyDomains } = options
  const find = <T>(suffix: string, name: string) => findExports<T>(suffix, name, { only: onlyDomains })
  const [endpoints, routes, owners, credentials, jobs, starts, topics, sockets] = await Promise.all([
    findEndpoints(),
    find<Routes>('routes', 'routes'),
    find<Owner>('owner', 'owner'),
    find<Credential>('credential', 'credential'),
    find<Job[]>('jobs', 'jobs'),
    find<Start>('start', 'start'),
    find<Topic[]>('topics', 'topics'),
    find<Sockets>('sockets', 'sockets'),
  ])
  // All that may stop the start comes before anything is opened.
  const kinds = collectOwners([...owners, ...(more?.owners ?? []).map((value) => ({ file: 'more', value }))])
  const bound = collectRoutes([...routes, ...(more ? [{ file: 'more', value: more.routes }] : [])])
  refuseFaultyEndpoints(bound.keys(), new Set(kinds.keys()))

  const server: Server = {
    config,
    database,
    log,
    ports,
    events: await openEvents(database, log),
    jobs: openJobs(database, log),
    keys: keysOf(config.secretKeys),
    endpoints: [...endpoints.map(({ value }) => value), ...(more?.endpoints ?? [])],
    owners: kinds,
    credential: credentials[0]?.value,
    draining: new AbortController(),
    ended: new AbortController(),
  }
  const allJobs = [housekeeping, ...jobs.flatMap(({ value }) => value)]

  const fastify = openFastify(server)
  const pressure = openPressure()
  const metrics = openMetrics(server, pressure)
  secureHeaders(fastify, config)
  const limit = callLimiter()
  const route = binder(fastify, { server, pressure, limit, observe: metrics.observe })
  for (const [endpoint, handler] of bound) route(endpoint, handler)
  const unbound = server.endpoints.filter((endpoint) => !bound.has(endpoint))
  log.debug({ calls: unbound.map((e) => `${e.method} ${e.path}`) }, 'declared and not bound yet')
  serveHealth(fastify, server, metrics)
  serveReference(fastify, [...bound.keys()], config)
  await serveConsole(fastify, server)
  const push = pushSockets(server, [...topics.flatMap(({ value }) => value), ...(more?.topics ?? [])])
  const declared = [push.sockets, ...sockets.map(({ value }) => value), ...(more?.sockets ?? [])]
  const open = openSockets(fastify, server, declared, limit)

  const ctxFor = (actor: Actor, signal: AbortSignal): Ctx =>
    ctxOf(server, { actor, lang: 'en', requestId: randomUUID(), ip: '', signal })
  const jobCtx = (_job: Job, signal: AbortSignal) =>
    ctxFor(systemActor, AbortSignal.any([signal, server.draining.signal]))
  return {
    fastify,
    server,
    ctx: (actor = systemActor) => ctxFor(actor, server.draining.signal),
    firstThings: async () => {
      for (const { value } of starts.sort((a, b) => a.value.order - b.value.order))
        await value.run(ctxFor(systemActor, server.draining.signal))
    },
    startJobs: () => server.jobs.start(allJobs, jobCtx),
    drainJobs: () => server.jobs.drain(allJobs, jobCtx),
    close: async (withinMs = 0) => {
      server.draining.abort()
      push.close()
      const overdue = setTimeout(() => {
        server.ended.abort()
        // Whoever obeys no signal is cut off a moment later.
        setTimeout(() => fastify.server.closeAllConnections(), 500).unref()
      }, withinMs)
      await Promise.all([open.close(), fastify.close(), server.jobs.stop(withinMs)])
      clearTimeout(overdue)
      server.ended.abort()
      pressure.close()
      await server.events.close()
    },
  }
}
