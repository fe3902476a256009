import type { Endpoint } from '@gantry/contract/endpoint'
import type { Logger } from 'pino'
import type { Ports } from '../adapters/ports.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/open.ts'
import type { Db } from '../db/tables.gen.ts'
import type { Actor, Ctx, Lang } from '../kernel/context.ts'
import type { Events } from '../kernel/events/event.ts'
import type { JobRunner } from '../kernel/jobs/jobs.ts'
import { openScope } from '../kernel/log.ts'
import type { Keys } from '../kernel/secrets/secrets.ts'

/**
 * Looks up the team that a stored object belongs to, or the teams that share it. One per kind. Undefined if the object
 * does not exist: the caller then gets the same 404 as for an object of another team.
 */
export type Owner = { kind: string } & (
  | { teamOf: (db: Db, id: string) => Promise<number | undefined> }
  | { teamsOf: (db: Db, id: string) => Promise<number | readonly number[] | 'every' | undefined> }
)

/** How agents are authenticated by the hash of their token; build agents by default. */
export interface Credential {
  find: (db: Db, tokenHash: Buffer) => Promise<{ id: number; name: string } | undefined>
  /** Refuses an agent with an unsupported protocol version, before anything else of its call is read. */
  admit?: (header: (name: string) => string | undefined) => void
}

/**
 * What a room ensures at each start of each replica. Replicas may start together, so it must tolerate running twice at
 * the same moment. Lower orders run first.
 */
export interface Start {
  order: number
  run: (ctx: Ctx) => Promise<void>
}

/** What the http layer shares. Created once by buildApp. */
export interface Server {
  config: Config
  database: Database
  log: Logger
  ports: Ports
  events: Events
  jobs: JobRunner
  keys: Keys
  endpoints: Endpoint[]
  owners: Map<string, Owner>
  credential: Credential | undefined
  /** Aborted when the process is asked to stop: nothing new begins, and long polls end. */
  draining: AbortController
  /** Aborted when the time for running calls to finish is over. */
  ended: AbortController
}

interface CtxOf {
  actor: Actor
  lang: Lang
  requestId: string
  ip: string
  userAgent?: string | undefined
  signal: AbortSignal
}

export const ctxOf = (server: Server, { actor, lang, requestId, ip, userAgent = '', signal }: CtxOf): Ctx => ({
  db: server.database.db,
  actor,
  lang,
  requestId,
  ip,
  // the header of a browser has about 120 characters
  userAgent: userAgent.slice(0, 300),
  signal,
  ...openScope(server.log, { requestId }),
  config: server.config,
  ports: server.ports,
  events: server.events,
  jobs: server.jobs,
  keys: server.keys,
  note: {},
})
