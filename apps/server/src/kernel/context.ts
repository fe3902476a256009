import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.gen.ts'
import type { Ports } from '../adapters/ports.ts'
import type { Config } from '../config.ts'
import type { Events } from './events/event.ts'
import type { Jobs } from './jobs/queue.ts'
import { type Scope, openScope } from './log.ts'
import { asTransaction } from './outside.ts'
import type { Keys } from './secrets/secrets.ts'

export type Lang = 'en' | 'zh'

/** Who acts: a person, a build agent, or the product itself (jobs, the sample). */
export interface Actor {
  kind: 'user' | 'agent' | 'system' | 'anonymous'
  /** The user's or agent's id; 0 for the others. */
  id: number
  name: string
  admin: boolean
  /** Set where the actor may less than the account: then it is no administrator, and this team is its only one. */
  limit?: Limit
}

/** The product itself. */
export const systemActor: Actor & { kind: 'system' } = { kind: 'system', id: 0, name: 'system', admin: true }

/** An API token carries a part of its maker's rights; who looks through a role sees what the role sees, and changes nothing. */
export type Limit =
  | { kind: 'token'; teamId: number; permissions: ReadonlySet<string>; alias: string }
  | { kind: 'view'; teamId: number; permissions: ReadonlySet<string>; roleId: number; roleName: string }

/** What a call adds to its audit row, by note(). Secrets are masked when the row is written. */
export interface AuditNote {
  /** What was touched, in words: a pipeline's name. */
  object?: string
  /** Its team, where the path does not say it. */
  teamId?: number
  before?: unknown
  after?: unknown
}

/** Everything that a service may touch. Built once a request, job or agent call. */
export interface Ctx extends Scope {
  db: Kysely<Tables>
  actor: Actor
  lang: Lang
  config: Config
  /** The outside world: clusters, git hosts, registries, blobs. */
  ports: Ports
  /** What happened anywhere: write with publish(), hear with subscribe(). */
  events: Events
  /** Background work: send with enqueue(). */
  jobs: Jobs
  /** The installation's keys: use them with seal() and open(). */
  keys: Keys
  requestId: string
  /** The caller's address, as far as trusted proxies tell it. */
  ip: string
  /** What the caller's browser or tool calls itself; empty where no request is. */
  userAgent: string
  /**
   * Aborted when the caller is gone, and when the server ends: at once for jobs, agents' calls and websockets, for
   * people's calls only after they had their time to end.
   */
  signal: AbortSignal
  /** The team that the call is about: the path names it, or it owns the stored object. */
  teamId?: number | undefined
  /** The team of the tenant header, if the caller is a member of it: narrows lists, never grants. */
  tenantId?: number | undefined
  /** What the call's audit row will say beside who, when and how it ended. */
  note: AuditNote
  /** Work that waits for the commit of the open transaction; undefined outside of one. */
  committing?: (() => void)[] | undefined
}

/** For one of many objects that a job looks after: what it opens for this one is searched for in no line about another. */
export const scoped = (ctx: Ctx): Ctx => ({ ...ctx, ...openScope(ctx.log, {}) })

/** Runs `work` in one transaction, whose `ctx` shadows the caller's. Nested calls join the transaction that is open. */
export async function inTx<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  const committing: (() => void)[] = []
  const result = await asTransaction(() => ctx.db.transaction().execute((db) => work({ ...ctx, db, committing })))
  for (const act of committing) act()
  return result
}

const again = new Set(['40001', '40P01'])

/**
 * As inTx, and run up to three times where PostgreSQL chose this transaction to break a deadlock or a serialisation
 * conflict. Only for work whose every effect lies in the transaction.
 */
export async function inRepeatableTx<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTx(ctx, work)
    } catch (error) {
      const code = (error as { code?: string }).code ?? ''
      if (ctx.db.isTransaction || attempt === 3 || !again.has(code)) throw error
    }
  }
}

/** Runs once what the transaction wrote can be seen by others; at once where none is open. Never runs after a rollback. */
export function afterCommit(ctx: Ctx, act: () => void): void {
  if (ctx.committing) ctx.committing.push(act)
  else act()
}
