import pino from 'pino'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../../test/test-app.ts'
import { prepared } from './open.ts'

const { db, close } = await testDatabase(pino({ level: 'silent' }), 1)
afterAll(close)

const named = (name: string) =>
  db
    .selectFrom('team')
    .modifyFront(prepared)
    .select(['name', 'description'])
    .where('name', '=', name)
    .executeTakeFirst()

test('a marked statement is prepared once for each connection, and still works after a migration adds a column', async () => {
  await db.insertInto('team').values({ name: 'one' }).execute()
  const there = { name: 'one', description: '' }
  expect([await named('one'), await named('one'), await named('two')]).toEqual([there, there, undefined])
  const { rows } = await sql<{ uses: number }>`select (generic_plans + custom_plans)::int as uses
    from pg_prepared_statements`.execute(db)
  expect(rows).toEqual([{ uses: 3 }])
  await sql`alter table team add column added text`.execute(db)
  await db.updateTable('team').set({ description: 'changed' }).execute()
  expect(await named('one')).toEqual({ name: 'one', description: 'changed' })
})
