import { randomUUID } from 'node:crypto'
import { callOf, type Endpoint } from '@gantry/contract/endpoint'
import { isHint } from '@gantry/contract/topic'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Ports } from './adapters/ports.ts'
import type { Config } from './config.ts'
import type { Database } from './db/open.ts'
import { validateEndpoints } from './http/validate-endpoints.ts'
import { serve } from './http/push/sources.ts'
import { topicFault, validateTopics } from './http/push/validate-topics.ts'
import { openFastify } from './http/fastify.ts'
import { serveHealth } from './http/health.ts'
import { callLimiter } from './http/limits.ts'
import { openPressure } from './http/pressure.ts'
import { collectWhenQuiet } from './http/quiet.ts'
import { openMetrics } from './http/metrics.ts'
import { serveReference } from './http/openapi/reference.ts'
import { secureHeaders } from './http/headers.ts'
import { pushSockets } from './http/push/push.ts'
import { openSockets } from './http/sockets/sockets.ts'
import { binder, type Handler, type Route } from './http/route.ts'
import { ctxOf, type Owner, type Server } from './http/server.ts'
import { serveConsole } from './http/static.ts'
import { type Actor, type Ctx, systemActor } from './kernel/context.ts'
import { openEvents } from './kernel/events/events.ts'
import { findEndpoints, findTopics } from './kernel/find.ts'
import { housekeeping } from './kernel/jobs/housekeeping.ts'
import { type Job, openJobs } from './kernel/jobs/jobs.ts'
import { keysOf } from './kernel/secrets/secrets.ts'
import { StartError } from './kernel/fault.ts'
import { findModules, type FoundModule, type Module } from './module.ts'

export interface App {
  fastify: FastifyInstance
  server: Server
  /** A context outside of any request: for jobs, the first start, tests. */
  ctx: (actor?: Actor) => Ctx
  /** What each start ensures before it serves requests, such as the first administrator and the default team. */
  firstThings: () => Promise<void>
  startJobs: () => Promise<void>
  /** Runs the background work that is due. For tests. */
  drainJobs: () => Promise<void>
  /** Runs one round of every row that is due, and waits until all have ended. For tests. */
  reconcile: () => Promise<void>
  /** Waits up to this long for running calls and jobs, then aborts the others. */
  close: (withinMs?: number) => Promise<void>
}

export interface AppOptions {
  config: Config
  database: Database
  ports: Ports
  log: Logger
  /** Endpoints besides those of the contract, with their handlers. For tests of the http layer. */
  more?: Module & { endpoints: Endpoint[] }
  /** Loads only the rooms of these domains. For tests that need few. */
  onlyDomains?: string[]
  /** The lag of the event loop beyond which calls are refused. For tests, whose machine may be busy with other work. */
  maxLagMs?: number
}

/** Collects what the rooms bind, each endpoint once. */
function collectRoutes(modules: FoundModule[]): Map<Endpoint, Handler<Endpoint>> {
  const bound = new Map<Endpoint, Handler<Endpoint>>()
  const calls = new Map<string, string>()
  for (const { file, routes } of modules) {
    const route: Route = (endpoint, handler) => {
      const call = callOf(endpoint)
      const other = calls.get(call)
      if (other !== undefined) throw new StartError(`${call} is bound twice: in ${other} and in ${file}`)
      calls.set(call, file)
      bound.set(endpoint, handler)
    }
    routes?.(route)
  }
  return bound
}

function collectOwners(modules: FoundModule[]): Map<string, Owner> {
  const kinds = new Map<string, Owner>()
  for (const { file, owners = [] } of modules)
    for (const owner of owners) {
      if (kinds.has(owner.kind)) throw new StartError(`${file}: the owner of a ${owner.kind} is told twice`)
      kinds.set(owner.kind, owner)
    }
  return kinds
}

/**
 * The whole server without its process: finds rooms and endpoints by folder, checks them, and binds them. Throws a
 * StartError if one breaks a rule of the contract. Does not listen yet.
 */
export async function buildApp(options: AppOptions): Promise<App> {
  const { config, database, ports, log, more, onlyDomains, maxLagMs } = options
  const [endpoints, declared, found] = await Promise.all([findEndpoints(), findTopics(), findModules(onlyDomains)])
  const modules = more ? [...found, { ...more, file: 'more' }] : found
  // every check that can stop the start runs before anything is opened
  const kinds = collectOwners(modules)
  const bound = collectRoutes(modules)
  const owners = new Set(kinds.keys())
  // No room serves hints. If only some domains are loaded, hints of the others are left out.
  const hints = declared.map(({ value }) => value).filter(isHint)
  const topics = [
    ...modules.flatMap(({ topics = [] }) => topics),
    ...hints.filter((hint) => topicFault(hint, owners) === undefined).map((hint) => serve(hint)),
  ]
  validateEndpoints(bound.keys(), owners)
  validateTopics(topics, owners)

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
    credential: modules.find((module) => module.agentCredential)?.agentCredential,
    draining: new AbortController(),
    ended: new AbortController(),
  }
  const allJobs = [housekeeping, ...modules.flatMap(({ jobs = [] }) => jobs)]
  const reconcilers = modules.flatMap((module) => module.reconcilers ?? [])

  const fastify = openFastify(server)
  const pressure = openPressure(undefined, maxLagMs)
  const metrics = openMetrics(server, pressure)
  collectWhenQuiet(pressure, globalThis.gc)
  secureHeaders(fastify, config)
  const limit = callLimiter()
  const route = binder(fastify, { server, pressure, limit, observe: metrics.observe })
  for (const [endpoint, handler] of bound) route(endpoint, handler)
  const unbound = server.endpoints.filter((endpoint) => !bound.has(endpoint))
  log.debug({ calls: unbound.map(callOf) }, 'declared and not bound yet')
  const visit = (ip: string) => void (config.rateLimit && limit.call({ id: 0, ip }))
  serveHealth(fastify, server, metrics, visit)
  serveReference(fastify, [...bound.keys()], config, visit)
  await serveConsole(fastify, server)
  const push = pushSockets(server, topics)
  const sockets = [push.sockets, ...modules.flatMap((module) => module.sockets ?? [])]
  const open = openSockets(fastify, server, sockets, limit)

  const ctxFor = (actor: Actor, signal: AbortSignal): Ctx =>
    ctxOf(server, { actor, lang: 'en', requestId: randomUUID(), ip: '', signal })
  const jobCtx = (_job: Job, signal: AbortSignal) =>
    ctxFor(systemActor, AbortSignal.any([signal, server.draining.signal]))
  const ctx = (actor: Actor = systemActor) => ctxFor(actor, server.draining.signal)
  return {
    fastify,
    server,
    ctx,
    firstThings: async () => {
      const starts = modules.flatMap(({ onStart }) => onStart ?? [])
      for (const { run } of starts.sort((a, b) => a.order - b.order)) await run(ctx())
    },
    startJobs: async () => {
      for (const { run } of reconcilers) void run(ctx())
      await server.jobs.start(allJobs, jobCtx)
    },
    drainJobs: () => server.jobs.drain(allJobs, jobCtx),
    reconcile: async () => {
      const begun = await Promise.all(reconcilers.map(({ begin }) => begin(ctx())))
      await Promise.all(begun.flat().map(({ ended }) => ended))
    },
    close: async (withinMs = 0) => {
      server.draining.abort()
      push.close()
      const overdue = setTimeout(() => {
        server.ended.abort()
        // connections that are still open soon afterwards are closed by force
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
