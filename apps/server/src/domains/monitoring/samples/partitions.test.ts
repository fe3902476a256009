import { describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import pino from 'pino'
import { testApp, testDatabase } from '../../../../test/test-app.ts'
import { keepPartitions } from './partitions.store.ts'
import { start } from './samples.module.ts'
import { isOver, partitioned, partitionsNeeded } from './partitions.ts'

const hour = 3_600_000
const now = Date.UTC(2026, 10, 21, 13, 30)
const [raw, averages] = partitioned

describe('which partitions there are', () => {
  test('cover the time from now on without a gap', () => {
    for (const kind of partitioned) {
      const made = partitionsNeeded(kind, now)
      expect(made[0]?.from).toBeLessThanOrEqual(now)
      expect(made.at(-1)?.to).toBeGreaterThanOrEqual(now + kind.ahead)
      for (const [at, { from }] of made.entries()) if (at > 0) expect(from).toBe(made[at - 1]?.to)
      expect(new Set(made.map(({ name }) => name)).size).toBe(made.length)
    }
  })

  test.each([
    ['metric_raw_2026112012', false],
    ['metric_raw_2026112006', true],
    ['metric_raw_2026112112', false],
    ['metric_raw_later', false],
    ['metric_raw', false],
  ])('%s is expired: %s', (name, over) => {
    expect(isOver(raw, name, now)).toBe(over)
  })

  test('averages are kept for eight days', () => {
    expect(isOver(averages, 'metric_hour_2026111300', now)).toBe(false)
    expect(isOver(averages, 'metric_hour_2026111200', now)).toBe(true)
  })
})

test('are created once by concurrent callers, and expired ones are dropped', async () => {
  const { db, close } = await testDatabase(pino({ level: 'silent' }))
  const names = async () =>
    (
      await sql<{ name: string }>`select relname as name from pg_class where relispartition and relkind = 'r'`.execute(
        db,
      )
    ).rows
      .map(({ name }) => name)
      .toSorted()
  await Promise.all([keepPartitions(db, now), keepPartitions(db, now), keepPartitions(db, now)])
  const first = await names()
  expect(first).toEqual(partitioned.flatMap((kind) => partitionsNeeded(kind, now).map(({ name }) => name)).toSorted())
  await keepPartitions(db, now)
  expect(await names()).toEqual(first)
  const dropped = await keepPartitions(db, now + 60 * hour)
  expect(dropped).toBeGreaterThan(0)
  expect(await names()).not.toContain('metric_raw_2026112112')
  expect(await names()).toContain('metric_hour_2026112100')
  await close()
})

test('a replica starts while another one uses the tables', async () => {
  const app = await testApp()
  await start.run(app.ctx())
  const { rows } = await sql<{ name: string }>`
    select child.relname as name from pg_inherits join pg_class child on child.oid = inhrelid
    where inhparent = 'metric_raw'::regclass order by child.relname desc limit 1`.execute(app.db)
  await sql`drop table ${sql.table(rows[0]?.name ?? '')}`.execute(app.db)
  await app.db.transaction().execute(async (tx) => {
    await sql`lock table metric_raw in access share mode`.execute(tx)
    await start.run(app.ctx())
  })
})
