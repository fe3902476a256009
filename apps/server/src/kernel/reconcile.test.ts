import { topic } from '@gantry/contract/topic'
import { eventually } from '@gantry/waiting/eventually'
import pino from 'pino'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { testApp } from '../../test/test-app.ts'
import type { Tables } from '../db/tables.gen.ts'
import { type Ctx, inTx } from './context.ts'
import { publish, subscribe } from './events/events.ts'
import { reconciler, type Round, rowsToReconcile } from './reconcile.ts'

/** Two replicas on one database, and a table that belongs to no domain. */
const logged: { msg: string; againMs?: number; err?: { message: string } }[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
const app = await testApp({ onlyDomains: [], log })
const replica = await testApp({ onlyDomains: [], log, beside: { database: app.database, admin: app.admin } })
const { db } = app
await sql`create table thing (
  id int primary key, wanted int not null default 1, found int not null default 0,
  settle_until timestamptz, settle_round int not null default 0)`.execute(db)

type Work = (ctx: Ctx, id: number, round: Round) => Promise<number>

/** One replica's reconciler of things, with its own wake-ups and failure counts. */
function things(work: Work, lookMs = 60_000) {
  const rows = rowsToReconcile<{ id: number }>({
    name: 'kernel-thing',
    table: 'thing' as keyof Tables,
    key: ['id'],
    unsettled: sql`item.found <> item.wanted`,
    generation: sql`item.wanted`,
    leaseMs: 30_000,
    lookMs,
    backOff: { firstMs: 1000, mostMs: 3000 },
  })
  return { ...rows, ...reconciler(rows, (ctx, { id }, round) => work(ctx, id, round)) }
}

const add = (from: number, to = from) =>
  sql`insert into thing (id) select * from generate_series(${from}::int, ${to}::int)`.execute(db)
const want = (id: number, wanted: number) => sql`update thing set wanted = ${wanted} where id = ${id}`.execute(db)
const find = (ctx: Ctx, id: number) => sql`update thing set found = wanted where id = ${id}`.execute(ctx.db)
const timePasses = () => sql`update thing set settle_until = now() - interval '1 second'`.execute(db)
const unsettled = async () =>
  (await sql<{ id: number }>`select id from thing where found <> wanted order by id`.execute(db)).rows.map(
    ({ id }) => id,
  )
/** Milliseconds until the next round may begin; undefined: it may begin at once. */
const pauseOf = async (id: number) => {
  const { rows } = await sql<{ ms: number | null }>`
    select extract(epoch from settle_until - now())::float8 * 1000 as ms from thing where id = ${id}`.execute(db)
  return rows[0]?.ms ?? undefined
}
const idsOf = (begun: { item: { id: number } }[]) => begun.map(({ item }) => item.id)
const ended = (begun: { ended: Promise<void> }[]) => Promise.all(begun.map((one) => one.ended))
const nothing: Work = async () => 0

/** A context whose signal aborts when the test kills or drains its replica, or at the end of the test. */
const ends: AbortController[] = []
function alive(of = app) {
  const end = new AbortController()
  ends.push(end)
  return { ctx: { ...of.ctx(), signal: end.signal }, end: () => end.abort() }
}

/** Work that blocks: `reached` resolves once it has begun, and it continues when `go` is called. */
function waiting(goOn: Work) {
  const reached = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const work: Work = async (...of) => {
    reached.resolve()
    await go.promise
    return goOn(...of)
  }
  return { work, reached: reached.promise, go: go.resolve }
}

beforeEach(() => void logged.splice(0))
afterEach(async () => {
  for (const end of ends.splice(0)) end.abort()
  await sql`delete from thing`.execute(db)
})

test('two replicas that look at once begin one round per row', async () => {
  await add(1, 60)
  const seen: number[] = []
  const look = () => things(async (_ctx, id) => (seen.push(id), 60_000))
  const begun = await Promise.all([1, 2, 3, 4].map((at) => look().begin((at % 2 === 0 ? app : replica).ctx())))
  await ended(begun.flat())
  expect(idsOf(begun.flat()).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, at) => at + 1))
  expect(seen).toHaveLength(60)
})

test('a settled row gets no round, and a row in a round is left alone until the lease is over', async () => {
  await add(1, 2)
  await find(app.ctx(), 2)
  const slow = waiting(nothing)
  const here = await things(slow.work).begin(app.ctx())
  expect(idsOf(here)).toEqual([1])
  expect(idsOf(await things(nothing).begin(replica.ctx()))).toEqual([])
  expect(await pauseOf(1)).toBeGreaterThan(25_000)
  slow.go()
  await ended(here)
})

test('a round that outlives its lease writes and stores nothing, and does not end the next round', async () => {
  await add(1)
  const written: string[] = []
  const answers: boolean[] = []
  const act: Work = async (_ctx, id, round) => {
    answers.push(await round.mayWrite())
    answers.push(await round.inTurn([async () => written.push('first')]))
    answers.push(await round.note((ctx) => find(ctx, id)))
    return 0
  }
  const [slow, later] = [waiting(act), waiting(act)]
  const first = await things(slow.work).begin(app.ctx())
  await timePasses()
  const second = await things(later.work).begin(replica.ctx())
  expect(idsOf(second)).toEqual([1])
  slow.go()
  await ended(first)
  expect([answers, written, await unsettled()]).toEqual([[false, false, false], [], [1]])
  expect(await pauseOf(1)).toBeGreaterThan(25_000)
  later.go()
  await ended(second)
  expect([answers.slice(3), written, await unsettled()]).toEqual([[true, true, true], ['first'], []])
})

test('a new generation ends the previous generation’s round, and its own round begins at once', async () => {
  await add(1)
  const written: number[] = []
  const whole: boolean[] = []
  const stop = { at: 1, reached: Promise.withResolvers<void>(), go: Promise.withResolvers<void>() }
  const begun = await things(async (_ctx, _id, round) => {
    whole.push(
      await round.inTurn(
        [1, 2].map((n) => async () => {
          written.push(n)
          stop.reached.resolve()
          await stop.go.promise
        }),
      ),
    )
    return 60_000
  }).begin(app.ctx())
  await stop.reached.promise
  await want(1, 2)
  expect(await things(nothing).begin(replica.ctx())).toEqual([])
  stop.go.resolve()
  await ended(begun)
  expect([written, whole, await pauseOf(1)]).toEqual([[1], [false], undefined])
  const next = await things(nothing).begin(replica.ctx())
  expect(idsOf(next)).toEqual([1])
  await ended(next)
})

test('a write prolongs the lease', async () => {
  await add(1)
  const begun = await things(async (_ctx, id, round) => {
    await timePasses()
    expect(await round.mayWrite()).toBe(true)
    expect(await pauseOf(id)).toBeGreaterThan(25_000)
    return 60_000
  }).begin(app.ctx())
  await ended(begun)
  expect(logged).toEqual([])
  expect(await pauseOf(1)).toBeGreaterThan(55_000)
  expect(await things(nothing).begin(replica.ctx())).toEqual([])
})

test('the outcome of a round and its events are stored in one transaction, in which nobody else changes the row', async () => {
  await add(1)
  const published: unknown[] = []
  const found = topic({ path: 'things', access: 'user', content: z.object({ found: z.string() }) })
  const stop = subscribe(app.server.events, found, (content) => published.push(content))
  const say = (ctx: Ctx, what: string) => publish(ctx, found, {}, { found: what })
  let changed: Promise<unknown> | undefined
  const here = things(async (_ctx, id, round) => {
    await round.note(async (ctx) => {
      changed = want(id, 2)
      await find(ctx, id)
      await say(ctx, 'it')
      await eventually(
        () =>
          sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like 'update thing set wanted%'`.execute(
            db,
          ),
        ({ rows }) => rows.length === 1,
      )
    })
    await changed
    await round.note((ctx) => say(ctx, 'too late'))
    return 0
  })
  await ended(await here.begin(app.ctx()))
  expect(logged).toEqual([])
  const broken = things((_ctx, id, round) =>
    round
      .note(async (ctx) => {
        await find(ctx, id)
        await say(ctx, 'broken')
        throw new Error('half way')
      })
      .then(() => 0),
  )
  await ended(await broken.begin(app.ctx()))
  expect(await unsettled()).toEqual([1])
  await app.server.events.settle()
  stop()
  expect(published).toEqual([{ found: 'it' }])
})

test('a wake-up begins a round right after the commit, and begins none after a rollback', async () => {
  const seen: number[] = []
  const here = things(async (ctx, id, round) => {
    seen.push(id)
    await round.note((ctx) => find(ctx, id))
    return 0
  })
  const { ctx, end } = alive()
  const running = here.run(ctx)
  await new Promise((resolve) => setTimeout(resolve, 200))
  const addAndWake = (id: number, fails = false) =>
    inTx(app.ctx(), async (ctx) => {
      await sql`insert into thing (id) values (${id})`.execute(ctx.db)
      here.wakeAfterCommit(ctx)
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(seen).not.toContain(id)
      if (fails) throw new Error('rolled back')
    })
  await addAndWake(1)
  await eventually(() => expect(seen).toEqual([1]))
  await expect(addAndWake(2, true)).rejects.toThrow('rolled back')
  await add(3)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(seen).toEqual([1])
  end()
  await running
})

test('the next round begins when the last one asked for, before the next look', async () => {
  await add(1)
  let rounds = 0
  const { ctx } = alive()
  void things(async (_ctx, id, round) => {
    if (++rounds === 3) await round.note((ctx) => find(ctx, id))
    return 100
  }).run(ctx)
  await eventually(async () => expect(await unsettled()).toEqual([]))
  expect(rounds).toBe(3)
})

test('an unknown error is logged, and the pause before the next round doubles each time up to a limit', async () => {
  await add(1, 2)
  let broken = true
  const here = things(async (_ctx, id) => {
    if (id === 1 && broken) throw new Error('unheard of')
    return 0
  })
  /** Runs one more round. Resolves with the milliseconds from its start until the next one may begin. */
  const again = async () => {
    await timePasses()
    const { rows: begun } = await sql<{ at: Date }>`select now() as at`.execute(db)
    await ended(await here.begin(app.ctx()))
    const { rows } = await sql<{ ms: number | null }>`
      select extract(epoch from settle_until - ${begun[0]?.at}::timestamptz)::float8 * 1000 as ms
      from thing where id = 1`.execute(db)
    return rows[0]?.ms
  }
  for (const ms of [1000, 2000, 3000]) expect(await again()).toBeGreaterThanOrEqual(ms)
  expect(logged.map(({ err, againMs }) => [err?.message, againMs])).toEqual([
    ['unheard of', 1000],
    ['unheard of', 2000],
    ['unheard of', 3000],
  ])
  broken = false
  await again()
  expect((await pauseOf(1)) ?? 0).toBeLessThanOrEqual(0)
  broken = true
  expect(await again()).toBeGreaterThanOrEqual(1000)
  expect(logged.at(-1)?.againMs).toBe(1000)
})

test('a slow round does not hold up the rounds of other rows', async () => {
  await add(1, 250)
  const slow = waiting(nothing)
  let rounds = 0
  const { ctx } = alive()
  void things(async (ctx, id, round) => {
    if (id === 7) return slow.work(ctx, id, round)
    rounds++
    await round.note((ctx) => find(ctx, id))
    return 0
  }).run(ctx)
  await eventually(async () => expect(await unsettled()).toEqual([7]))
  expect(rounds).toBe(249)
  slow.go()
})

test('once the lease has ended, another server continues the round of a killed server', async () => {
  await add(1)
  const { ctx, end } = alive()
  const slow = waiting(async () => {
    throw new Error('cut off')
  })
  const here = await things(slow.work).begin(ctx)
  end()
  slow.go()
  await ended(here)
  expect(logged).toEqual([])
  const there = things(async (_ctx, id, round) => {
    await round.note((ctx) => find(ctx, id))
    return 0
  })
  expect(await there.begin(replica.ctx())).toEqual([])
  await timePasses()
  await ended(await there.begin(replica.ctx()))
  expect(await unsettled()).toEqual([])
})
