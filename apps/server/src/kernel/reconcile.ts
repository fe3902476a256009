import { setTimeout as pause } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../db/tables.gen.ts'
import { type Ctx, inTx, scoped } from './context.ts'
import { wakeup } from './wakeup.ts'

/** The columns of a row's key, and their values. */
type Key = Record<string, string | number>

/** Rows that an outside system is to be brought to. SQL calls such a row `item`. Its `settle_round` counts the rounds. */
interface Rows<K extends Key> {
  /** `<domain>-<what>`: for the log, and for the audit trail. */
  name: string
  table: keyof Tables
  key: readonly (keyof K & string)[]
  /** What is so has a round again and again, until it is so no more. */
  unsettled: RawBuilder<unknown>
  /** Another value means that something else is wanted: a round that began before writes no more. */
  generation: RawBuilder<unknown>
  /** The column that says until when nobody begins a round: the end of a lease or, after a round, of a pause. settle_until */
  until?: string
  /** Longer than any one write takes: a server that dies leaves its rows to the others after it. */
  leaseMs: number
  /** How often each replica looks for what nobody here was woken for. */
  lookMs: number
  /** The pause after a round that threw; it doubles with each in a row. */
  backOff: { firstMs: number; mostMs: number }
}

type RowsToReconcile<K extends Key> = Rows<K> & ReturnType<typeof wakeup>

/** Apart from the reconciler, so that whoever changes a row can wake it without importing what it does. */
export const rowsToReconcile = <K extends Key>(rows: Rows<K>): RowsToReconcile<K> => ({ ...rows, ...wakeup() })

/** One holder's turn at a row. Each later holder has a higher number, which ends this one's. */
export interface Round {
  /** Prolongs the lease for one more write. False where nothing may be written any more: something else is wanted, or another round has begun. */
  mayWrite: () => Promise<boolean>
  /** Writes one after another for as long as it may. False where that ended before the last. */
  inTurn: (writes: (() => Promise<unknown>)[]) => Promise<boolean>
  /** Notes what the round came to, and publishes it: in one transaction, during which nobody else changes the row. False where it may not. */
  note: (work: (ctx: Ctx) => Promise<unknown>) => Promise<boolean>
}

/**
 * Brings the outside a step closer to what the row wants, and answers after how many ms the next round begins, if the row is
 * unsettled then. Bears being cut off anywhere and repeated. What it throws is logged, and backed off from.
 */
type Reconcile<K> = (ctx: Ctx, item: K, round: Round) => Promise<number>

export interface Reconciler<K = unknown> {
  /** Begins a round of each row that is due and that nobody holds. They go on by themselves, side by side, and never reject. */
  begin: (ctx: Ctx) => Promise<{ item: K; ended: Promise<void> }[]>
  /** Begins what is due until the context's signal aborts. */
  run: (ctx: Ctx) => Promise<void>
}

/** Rounds that one look begins; the next look, right after, begins the rest. */
const mostAtOnce = 100
/** The shortest time between two looks: wake-ups in quick succession are one. */
const apartMs = 50

const after = (ms: number) => sql`now() + make_interval(secs => ${ms / 1000}::float8)`

export function reconciler<K extends Key>(rows: RowsToReconcile<K>, reconcile: Reconcile<K>): Reconciler<K> {
  const { name, key, unsettled, generation, leaseMs, lookMs, backOff, wake } = rows
  const table = sql.table(rows.table)
  const until = sql.ref(rows.until ?? 'settle_until')
  const columns = sql.join(key.map((column) => sql.ref(`item.${column}`)))
  const same = (of: (column: keyof K & string) => unknown) =>
    sql.join(
      key.map((column) => sql`${sql.ref(`item.${column}`)} = ${of(column)}`),
      sql` and `,
    )
  /** Rounds in a row that threw. Of this process alone: another one begins with a short pause. */
  const failures = new Map<string, number>()

  interface Held {
    item: K
    round: number
    generation: string
  }

  async function lease({ db }: Ctx): Promise<Held[]> {
    const { rows: leased } = await sql<{ item: K; round: number; generation: string }>`
      with due as (
        select ${columns} from ${table} as item
        where ${unsettled} and coalesce(item.${until} < now(), true)
        order by item.${until} nulls first limit ${mostAtOnce} for no key update of item skip locked
      )
      update ${table} as item set ${until} = ${after(leaseMs)}, settle_round = item.settle_round + 1
      from due where ${same((column) => sql.ref(`due.${column}`))}
      returning to_json(due) as item, item.settle_round as round, (${generation})::text as generation`.execute(db)
    return leased
  }

  const isHeld = ({ item, round }: Held) => sql`${same((column) => item[column])} and item.settle_round = ${round}`
  const isWanted = (held: Held) => sql`(${generation})::text = ${held.generation}`

  async function hold({ db }: Ctx, held: Held): Promise<boolean> {
    const { numAffectedRows } = await sql`
      update ${table} as item set ${until} = ${after(leaseMs)} where ${isHeld(held)} and ${isWanted(held)}`.execute(db)
    return (numAffectedRows ?? 0n) > 0n
  }

  /** What is wanted by now and was not when the round began waits for nothing. */
  async function release({ db }: Ctx, held: Held, againMs: number): Promise<void> {
    const { rows: released } = await sql<{ changed: boolean }>`
      update ${table} as item set ${until} = case when ${isWanted(held)} then ${after(againMs)} end
      where ${isHeld(held)} returning not ${isWanted(held)} as changed`.execute(db)
    // It is gone, or somebody else's.
    if (!released[0]) failures.delete(JSON.stringify(held.item))
    else if (released[0].changed) wake()
    else if (againMs < lookMs) setTimeout(wake, againMs).unref()
  }

  const roundOf = (ctx: Ctx, held: Held): Round => {
    const mayWrite = () => hold(ctx, held)
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
          const may = await hold(ctx, held)
          if (may) await work(ctx)
          return may
        }),
    }
  }

  async function oneRound(ctx: Ctx, held: Held): Promise<void> {
    const { item } = held
    const id = JSON.stringify(item)
    let againMs: number
    try {
      againMs = await reconcile(ctx, item, roundOf(ctx, held))
      failures.delete(id)
    } catch (error) {
      // The server ends: another one goes on when the lease is over.
      if (ctx.signal.aborted) return
      const failed = failures.get(id) ?? 0
      failures.set(id, failed + 1)
      againMs = Math.min(backOff.mostMs, backOff.firstMs * 2 ** failed)
      ctx.log.error({ err: error, reconciler: name, item, againMs }, 'a round met an error that it does not know')
    }
    await release(ctx, held, againMs)
  }

  const failed = (ctx: Ctx, what: string) => (error: unknown) => {
    if (!ctx.signal.aborted) ctx.log.error({ err: error, reconciler: name }, what)
  }

  const begin = async (ctx: Ctx) => {
    const leased = await lease(ctx)
    if (leased.length === mostAtOnce) wake()
    return leased.map((held) => {
      const own = scoped(ctx)
      return { item: held.item, ended: oneRound(own, held).catch(failed(own, 'a round was not handed back')) }
    })
  }

  return {
    begin,
    run: async (ctx) => {
      while (!ctx.signal.aborted) {
        // Before the look: what becomes due during it ends the wait.
        const woken = rows.wait(lookMs, ctx.signal)
        await begin(ctx).catch(failed(ctx, 'what is due could not be read'))
        await Promise.all([woken, pause(apartMs)])
      }
    },
  }
}
