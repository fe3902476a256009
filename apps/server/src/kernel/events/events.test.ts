import pino from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import { sql } from 'kysely'
import { z } from 'zod'
import { eventually } from '@gantry/waiting/eventually'
import { inTx } from '../context.ts'
import type { Event } from './event.ts'
import { openEvents, subscribe } from './events.ts'
import { publishAs } from '../../../test/publish-as.ts'
import { testApp, testDatabase } from '../../../test/test-app.ts'

/** An open transaction of another test holds back the events of all databases for as long as it runs. */

const log = pino({ level: 'silent' })
const app = await testApp({ onlyDomains: [] })
const ctx = app.ctx()

function eventsOf(prefix: string): Event[] {
  const seen: Event[] = []
  app.server.events.subscribe((event) => {
    if (event.topic.startsWith(prefix)) seen.push(event)
  })
  return seen
}

test('an event is published if and only if its transaction commits', async () => {
  const seen = eventsOf('commit/')
  await inTx(ctx, (ctx) => publishAs(ctx, 'commit/yes', { a: [1] }))
  await expect(
    inTx(ctx, async (ctx) => {
      await publishAs(ctx, 'commit/no', null)
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  await publishAs(ctx, 'commit/last', null)
  await eventually(() => expect(seen.at(-1)?.topic).toBe('commit/last'))
  expect(seen).toMatchObject([{ topic: 'commit/yes', content: { a: [1] } }, { topic: 'commit/last' }])
})

test('the event of a transaction that begins first and commits last is not missed', async () => {
  const seen = eventsOf('late/')
  const begun = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const slow = inTx(ctx, async (ctx) => {
    // a transaction gets its number at its first write, so this one is older than those that write later
    await sql`select pg_current_xact_id()`.execute(ctx.db)
    await publishAs(ctx, 'late/slow', null)
    begun.resolve()
    await release.promise
  })
  await begun.promise
  await publishAs(ctx, 'late/fast', null)
  const settled = app.server.events.settle()
  // Events that are held back are read again every 25 ms.
  await new Promise((later) => setTimeout(later, 100))
  // The later event waits: delivering it now would move the reader past the one that is still uncommitted.
  expect(seen).toEqual([])
  release.resolve()
  await slow
  await settled
  expect(seen.map((event) => event.topic)).toEqual(['late/slow', 'late/fast'])
})

test('with concurrent writers every event is delivered once, in one order for all readers', async () => {
  const log = pino({ level: 'silent' })
  const second = await openEvents(app.database, log)
  afterAll(() => second.close())
  const [mine, theirs]: [Event[], Event[]] = [eventsOf('storm/'), []]
  second.subscribe((event) => {
    if (event.topic.startsWith('storm/')) theirs.push(event)
  })
  const writers = 8
  const each = 40
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let n = 0; n < each; n++) {
        await inTx(ctx, async (ctx) => {
          await publishAs(ctx, `storm/${writer}`, n)
          if (n % 5 === writer % 5) await sql`select pg_sleep(0.01)`.execute(ctx.db)
          await publishAs(ctx, `storm/${writer}`, n + 0.5)
        })
      }
    }),
  )
  const total = writers * each * 2
  await eventually(() => expect([mine.length, theirs.length]).toEqual([total, total]))
  expect(theirs).toEqual(mine)
  const seqs = mine.map((event) => event.seq)
  expect(new Set(seqs).size).toBe(total)
  expect(seqs).toEqual([...seqs].sort())
  for (let writer = 0; writer < writers; writer++) {
    const own = mine.filter((event) => event.topic === `storm/${writer}`).map((event) => event.content as number)
    expect(own).toEqual([...own].sort((a, b) => a - b))
  }
}, 30_000)

test('a lost connection loses no event', async () => {
  const seen = eventsOf('cut/')
  await publishAs(ctx, 'cut/before', null)
  const cut = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'gantry-events' and datname = current_database()`.execute(app.db)
  await cut()
  await publishAs(ctx, 'cut/during', null)
  await cut()
  await publishAs(ctx, 'cut/after', null)
  await eventually(() => expect(seen.map((event) => event.topic)).toEqual(['cut/before', 'cut/during', 'cut/after']))
})

test('a bell is heard once in every replica, and again by a replica that had lost its connection', async () => {
  const database = await testDatabase()
  afterAll(() => database.close())
  const [first, second] = [await openEvents(database, log), await openEvents(database, log)]
  afterAll(() => Promise.all([first.close(), second.close()]))
  const rings: string[] = []
  first.onRing('a', () => rings.push('here'))
  const stop = second.onRing('a', () => rings.push('there'))
  second.onRing('b', () => rings.push('another'))
  first.ring('a')
  expect(rings).toEqual(['here'])
  await eventually(() => expect(rings).toEqual(['here', 'there']))
  first.ring('b')
  await eventually(() => expect(rings).toEqual(['here', 'there', 'another']))

  rings.length = 0
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'gantry-events' and datname = current_database()`.execute(database.db)
  await eventually(() => expect(rings.toSorted()).toEqual(['another', 'here', 'there']))
  stop()
  second.ring('a')
  await eventually(() => expect(rings.toSorted()).toEqual(['another', 'here', 'here', 'there']))
})

test('a row that a trigger wrote is delivered at once, though no replica has notified', async () => {
  const seen = eventsOf('access')
  const user = await app.user()
  await app.db.updateTable('account').set({ status: 'disabled' }).where('id', '=', user.id).execute()
  await eventually(() => expect(seen.at(-1)?.content).toMatchObject({ table: 'account', accountId: user.id }))
})

test('a returning subscriber gets the missed events of a topic, or learns that they have been deleted', async () => {
  const seen = eventsOf('away/')
  for (const n of [1, 2, 3]) await publishAs(ctx, 'away/x', n)
  await publishAs(ctx, 'away/y', 9)
  await eventually(() => expect(seen).toHaveLength(4))
  const first = seen[0]?.seq ?? ''
  expect((await app.server.events.since('away/x', first))?.map((event) => event.content)).toEqual([2, 3])
  await app.db.deleteFrom('outbox').where('topic', '=', 'away/x').execute()
  expect(await app.server.events.since('away/x', first)).toBeUndefined()
  for (const nonsense of ['', '1', '1.1', '9'.repeat(30), "000000000000001.00000000000000'"])
    expect(await app.server.events.since('away/x', nonsense)).toBeUndefined()
})

test('a subscriber gets a topic’s parsed content and parameters, or undefined content if it has another release’s shape', async () => {
  const received: unknown[] = []
  const stop = subscribe(
    app.server.events,
    { path: 'parsed/:teamId', content: z.object({ state: z.enum(['on', 'off']) }) },
    (content, params) => received.push([content, params]),
  )
  await publishAs(ctx, 'parsed/7', { state: 'on', more: 1 })
  await publishAs(ctx, 'parsed/7/8', { state: 'on' })
  await publishAs(ctx, 'parsed/8', { state: 'between' })
  await eventually(() => expect(received).toHaveLength(2))
  expect(received).toEqual([
    [{ state: 'on' }, { teamId: '7' }],
    [undefined, { teamId: '8' }],
  ])
  stop()
})

test('a listener that throws does not stop the others', async () => {
  const database = await testDatabase()
  afterAll(() => database.close())
  const events = await openEvents(database, pino({ level: 'silent' }))
  afterAll(() => events.close())
  const seen: string[] = []
  events.subscribe(() => {
    throw new Error('broken listener')
  })
  events.subscribe((event) => seen.push(event.topic))
  await database.db
    .insertInto('outbox')
    .values({ topic: 'access', content: sql`'1'::jsonb` })
    .execute()
  await eventually(() => expect(seen).toEqual(['access']))
})

test('no read begins after closing, even if one was scheduled', async () => {
  const database = await testDatabase()
  const log = pino({ level: 'silent' })
  const warned = vi.spyOn(log, 'warn')
  const events = await openEvents(database, log)
  const insert = (db: typeof database.db) =>
    db
      .insertInto('outbox')
      .values({ topic: 'x', content: sql`'1'::jsonb` })
      .execute()
  const begun = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const slow = database.db.transaction().execute(async (tx) => {
    await insert(tx)
    begun.resolve()
    await release.promise
  })
  await begun.promise
  // this row waits for the slow transaction, so the reader polls for it
  await insert(database.db)
  void events.settle()
  await events.close()
  release.resolve()
  await slow
  await database.close()
  await new Promise((later) => setTimeout(later, 100))
  expect(warned).not.toHaveBeenCalled()
})
