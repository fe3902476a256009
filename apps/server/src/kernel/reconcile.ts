import { setTimeout as pause } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../db/tables.gen.ts'
import { type Ctx, inTx, scoped } from './context.ts'
import { wakeup } from './wakeup.ts'

/** The columns of a row's key, and their values. */
type Key = Record<string, string | number>

/** Rows that the reconciler brings an outside system in line with. SQL calls such a row `item`. */
interface Rows<K extends Key> {
  /** `<domain>-<what>`: for the log and the audit trail. */
  name: string
  table: keyof Tables
  key: readonly (keyof K & string)[]
  /** Rows that match get another round until they no longer do. */
  unsettled: RawBuilder<unknown>
  /** Changes when something else is wanted: a round of an older generation writes nothing more. */
  generation: RawBuilder<unknown>
  /**
   * The column with the time before which no round begins: the end of a lease or, after a round, of its pause. Default:
   * settle_until
   */
  until?: string
  /** The column that counts the rounds. Default: settle_round */
  round?: string
  /** Longer than any single write takes; after it, other replicas take over the rows of a dead server. */
  leaseMs: number
  /**
   * How often each replica looks for rows that it was not woken for, such as those whose writer died before the
   * wake-up.
   */
  lookMs: number
  /** The pause after a round that threw; it doubles with each further one. */
  backOff: { firstMs: number; mostMs: number }
}

type RowsToReconcile<K extends Key> = Rows<K> & ReturnType<typeof wakeup>

/** Separate from the reconciler, so that code which changes a row can wake it without importing its work. */
export const rowsToReconcile = <K extends Key>(rows: Rows<K>): RowsToReconcile<K> => ({ ...rows, ...wakeup() })

/** One holder's turn at a row. Each later holder has a higher round number, which ends this round. */
export interface Round {
  /**
   * Renews the lease for one more write. False if this round may write nothing more: the generation changed, or another
   * round has begun.
   */
  mayWrite: () => Promise<boolean>
  /** Runs the writes in order while mayWrite() holds. False if the round ended before the last write. */
  inTurn: (writes: (() => Promise<unknown>)[]) => Promise<boolean>
  /**
   * Stores the outcome of the round and publishes it, in one transaction in which nobody else changes the row. False if
   * the round has ended.
   */
  note: (work: (ctx: Ctx) => Promise<unknown>) => Promise<boolean>
}

/**
 * Brings the outside system a step closer to what the row wants. Returns the milliseconds until the next round, for the
 * case that the row is still unsettled. May be cut off anywhere and must be idempotent. What it throws is logged, and
 * followed by the back-off pause.
 */
type Reconcile<K> = (ctx: Ctx, item: K, round: Round) => Promise<number>

export interface Reconciler<K = unknown> {
  name: string
  lookMs: number
  /** Begins a round of each row that is due and not leased. The rounds run concurrently and never reject. */
  begin: (ctx: Ctx) => Promise<{ item: K; ended: Promise<void> }[]>
  /** Begins due rounds until the context's signal aborts. */
  run: (ctx: Ctx) => Promise<void>
}

/** Rounds that one look begins; the next look follows right away and begins the rest. */
const maxAtOnce = 100
/** A timer is set by the event loop's cached time, so it may fire early, and find the row not yet due. */
const timerLeadMs = 20

/** The shortest time between two looks: it merges wake-ups in quick succession. */
const apartMs = 50

const inMs = (ms: number) => sql`now() + make_interval(secs => ${ms / 1000}::float8)`

export function reconciler<K extends Key>(rows: RowsToReconcile<K>, reconcile: Reconcile<K>): Reconciler<K> {
  const { name, key, unsettled, generation, leaseMs, lookMs, backOff, wake } = rows
  const table = sql.table(rows.table)
  const until = sql.ref(rows.until ?? 'settle_until')
  const count = rows.round ?? 'settle_round'
  const columns = sql.join(key.map((column) => sql.ref(`item.${column}`)))
  const same = (of: (column: keyof K & string) => unknown) =>
    sql.join(
      key.map((column) => sql`${sql.ref(`item.${column}`)} = ${of(column)}`),
      sql` and `,
    )
  /** Consecutive failed rounds in this process; another process starts with a short pause. */
  const failures = new Map<string, number>()

  /** The only timer that is set, for the earliest due row; the look that it starts finds what is due later. */
  let alarm: { at: number; timer: NodeJS.Timeout } | undefined
  function wakeIn(ms: number): void {
    const at = performance.now() + ms + timerLeadMs
    if (ms > lookMs || (alarm && alarm.at <= at)) return
    clearTimeout(alarm?.timer)
    const ring = () => {
      alarm = undefined
      wake()
    }
    alarm = { at, timer: setTimeout(ring, ms + timerLeadMs).unref() }
  }

  interface Claim {
    item: K
    round: number
    generation: string
  }

  /** Leases the rows that are due, and sets a wake-up for the next: the end of a pause or of a dead replica's lease. */
  async function lease({ db }: Ctx): Promise<Claim[]> {
    const { rows: found } = await sql<Omit<Claim, 'item'> & { item: K | null; nextMs: number | null }>`
      with due as (
        select ${columns} from ${table} as item
        where ${unsettled} and coalesce(item.${until} < now(), true)
        order by item.${until} nulls first limit ${maxAtOnce} for no key update of item skip locked
      ), leased as (
      update ${table} as item set ${until} = ${inMs(leaseMs)}, ${sql.ref(count)} = ${sql.ref(`item.${count}`)} + 1
      from due where ${same((column) => sql.ref(`due.${column}`))}
      returning to_json(due) as item, ${sql.ref(`item.${count}`)} as round, (${generation})::text as generation
      )
      select item, round, generation, null as "nextMs" from leased
      union all select null, null, null, extract(epoch from min(item.${until}) - now())::float8 * 1000
      from ${table} as item where ${unsettled} and item.${until} >= now()`.execute(db)
    const leased: Claim[] = []
    for (const { item, nextMs, ...rest } of found)
      if (item !== null) leased.push({ item, ...rest })
      else if (nextMs !== null) wakeIn(nextMs)
    return leased
  }

  const isHeld = ({ item, round }: Claim) =>
    sql`${same((column) => item[column])} and ${sql.ref(`item.${count}`)} = ${round}`
  const isWanted = (claim: Claim) => sql`(${generation})::text = ${claim.generation}`

  async function hold({ db }: Ctx, claim: Claim): Promise<boolean> {
    const { numAffectedRows } = await sql`
      update ${table} as item set ${until} = ${inMs(leaseMs)} where ${isHeld(claim)} and ${isWanted(claim)}`.execute(db)
    return (numAffectedRows ?? 0n) > 0n
  }

  /** If the generation changed since the round began, the next round begins without a pause. */
  async function release({ db }: Ctx, claim: Claim, againMs: number): Promise<void> {
    const { rows: released } = await sql<{ changed: boolean }>`
      update ${table} as item set ${until} = case when ${isWanted(claim)} then ${inMs(againMs)} end
      where ${isHeld(claim)} returning not ${isWanted(claim)} as changed`.execute(db)
    // The row is gone, or another round has it.
    if (!released[0]) failures.delete(JSON.stringify(claim.item))
    else if (released[0].changed) wake()
    else wakeIn(againMs)
  }

  const roundOf = (ctx: Ctx, claim: Claim): Round => {
    const mayWrite = () => hold(ctx, claim)
    return {
      mayWrite,
      inTurn: async (writes) => {
        for (const write of writes) {
          if (!(await mayWrite())) return false
          await write()
        }
        return true
      },
      note: (work) =>
        inTx(ctx, async (ctx) => {
          const may = await hold(ctx, claim)
          if (may) await work(ctx)
          return may
        }),
    }
  }

  async function oneRound(ctx: Ctx, claim: Claim): Promise<void> {
    const { item } = claim
    const id = JSON.stringify(item)
    let againMs: number
    try {
      againMs = await reconcile(ctx, item, roundOf(ctx, claim))
      failures.delete(id)
    } catch (error) {
      // The server is stopping: another one continues after the lease has ended.
      if (ctx.signal.aborted) return
      const failed = failures.get(id) ?? 0
      failures.set(id, failed + 1)
      againMs = Math.min(backOff.mostMs, backOff.firstMs * 2 ** failed)
      ctx.log.error({ err: error, reconciler: name, item, againMs }, 'a round met an error that it does not know')
    }
    await release(ctx, claim, againMs)
  }

  const failed = (ctx: Ctx, what: string) => (error: unknown) => {
    if (!ctx.signal.aborted) ctx.log.error({ err: error, reconciler: name }, what)
  }

  const begin = async (ctx: Ctx) => {
    const leased = await lease(ctx)
    if (leased.length === maxAtOnce) wake()
    return leased.map((claim) => {
      const own = scoped(ctx)
      return { item: claim.item, ended: oneRound(own, claim).catch(failed(own, 'a round was not handed back')) }
    })
  }

  return {
    name,
    lookMs,
    begin,
    run: async (ctx) => {
      while (!ctx.signal.aborted) {
        // Registered before the look: rows due during it end the wait. Random: reconcilers do not all look at once.
        const woken = rows.wait(lookMs * (0.8 + Math.random() / 5), ctx.signal)
        await begin(ctx).catch(failed(ctx, 'what is due could not be read'))
        await Promise.all([woken, pause(apartMs)])
      }
    },
  }
}
