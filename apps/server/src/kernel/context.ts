import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Tables } from '../db/tables.gen.ts'
import type { Ports } from '../adapters/ports.ts'
import type { Config } from '../config.ts'

export type Lang = 'en' | 'zh'

/** Who acts: a person, a build agent, or the product itself (jobs, the sample). */
export interface Actor {
  kind: 'user' | 'agent' | 'system' | 'anonymous'
  /** The user's or agent's id; 0 for the others. */
  id: number
  name: string
  admin: boolean
}

/** Everything that a service may touch. Built once a request, job or agent call. */
export interface Ctx {
  db: Kysely<Tables>
  actor: Actor
  lang: Lang
  log: Logger
  config: Config
  /** The outside world: clusters, git hosts, registries, blobs. */
  ports: Ports
  requestId: string
  /** The caller's address, as far as trusted proxies tell it. */
  ip: string
  /** Aborted when the caller is gone or the server drains. */
  signal: AbortSignal
}

/** Runs `work` in one transaction, whose `ctx` shadows the caller's. Nested calls join the transaction that is open. */
export const inTx = <T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  ctx.db.isTransaction ? work(ctx) : ctx.db.transaction().execute((db) => work({ ...ctx, db }))
