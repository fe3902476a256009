import type { RawBuilder } from 'kysely'
import type { Jsonb } from '../db/json.ts'
import type { Db } from '../db/tables.gen.ts'
import type { Ports } from '../adapters/ports.ts'
import type { Config } from '../config.ts'
import type { Events } from './events/event.ts'
import type { Jobs } from './jobs/queue.ts'
import { type Scope, openScope } from './log.ts'
import { asTransaction } from './outside.ts'
import type { Keys } from './secrets/secrets.ts'

export type Lang = 'en' | 'zh'

/** Who acts: a user, a build agent, the product itself (jobs, the sample), or a caller who is not logged in. */
export interface Actor {
  kind: 'user' | 'agent' | 'system' | 'anonymous'
  /** The id of the user or agent; 0 for the others. */
  id: number
  name: string
  admin: boolean
  /** Set where the actor may do less than the account: no administrator then, and in this team only. */
  limit?: Limit
}

/** The product itself. */
export const systemActor: Actor & { kind: 'system' } = { kind: 'system', id: 0, name: 'system', admin: true }

/**
 * An API token has some of its creator's permissions; a view as a role sees what the role sees, and changes nothing.
 */
export type Limit =
  | { kind: 'token'; teamId: number; permissions: ReadonlySet<string>; alias: string }
  | { kind: 'view'; teamId: number; permissions: ReadonlySet<string>; roleId: number; roleName: string }

/** What note() adds to a call's audit row. Secrets are masked when the row is written. */
export interface AuditNote {
  /** What was done, where the call's own name leaves it open, as for a switch that may go on or off. */
  action?: string
  /** The object's name, such as a pipeline's. */
  object?: string
  /** The object's team, where the path does not name it. */
  teamId?: number
  before?: unknown
  after?: unknown
}

/** Everything that a service may use. Created for each request, job or agent call. */
export interface Ctx extends Scope {
  db: Db
  actor: Actor
  lang: Lang
  config: Config
  /** The outside world: clusters, git hosts, registries, blobs. */
  ports: Ports
  /** Events of all replicas: publish() writes them, subscribe() delivers them. */
  events: Events
  /** Background work: enqueue() sends it. */
  jobs: Jobs
  /** The installation's keys, for seal() and open(). */
  keys: Keys
  requestId: string
  /** The caller's address; forwarding headers count from trusted proxies only. */
  ip: string
  /** The User-Agent header; empty outside of requests. */
  userAgent: string
  /**
   * Aborted when the caller disconnects, and when the server stops: at once for jobs, agents' calls and websockets; for
   * users' calls after their time to finish.
   */
  signal: AbortSignal
  /** The team that the call is about: named by the path, or the owner of the stored object. */
  teamId?: number | undefined
  /** The team of the tenant header, if the caller is a member of it: narrows lists, never grants. */
  tenantId?: number | undefined
  /** What the call's audit row will contain besides who, when and the outcome. */
  note: AuditNote
  /** Callbacks for after the commit of the open transaction; undefined outside of one. */
  committing?: (() => void)[] | undefined
  /** Events of the open transaction, which are written together at its end; undefined outside of one. */
  unsent?: { topic: string; content: RawBuilder<Jsonb> }[] | undefined
}

/** For one of many objects that a job processes: its secrets are not masked in the log lines of the others. */
export const scoped = (ctx: Ctx): Ctx => ({ ...ctx, ...openScope(ctx.log, {}) })

/** Runs `work` in one transaction, whose `ctx` shadows the caller's. Nested calls join the open transaction. */
export async function inTx<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  const committing: (() => void)[] = []
  const result = await asTransaction(() =>
    ctx.db.transaction().execute(async (db) => {
      const unsent: NonNullable<Ctx['unsent']> = []
      const result = await work({ ...ctx, db, committing, unsent })
      if (unsent.length > 0) await db.insertInto('outbox').values(unsent).execute()
      return result
    }),
  )
  for (const act of committing) act()
  return result
}

const retriedCodes = new Set(['40001', '40P01'])

/**
 * Like inTx, and repeated up to three times where PostgreSQL aborts the transaction to break a deadlock or a
 * serialization conflict. Only for work whose every effect is in the transaction.
 */
export async function inRepeatableTx<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTx(ctx, work)
    } catch (error) {
      const code = (error as { code?: string }).code ?? ''
      if (ctx.db.isTransaction || attempt === 3 || !retriedCodes.has(code)) throw error
    }
  }
}

/** Runs `act` after the commit; at once outside of a transaction. Never after a rollback. */
export function afterCommit(ctx: Ctx, act: () => void): void {
  if (ctx.committing) ctx.committing.push(act)
  else act()
}
