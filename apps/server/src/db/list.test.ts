import fc from 'fast-check'
import { sql } from 'kysely'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testApp } from '../../test/test-app.ts'
import { compareNames } from '../kernel/in-order.ts'
import { byName } from './list.ts'

const app = await testApp()

const inDatabase = async (names: string[]): Promise<string[]> =>
  (
    await sql<{ name: string }>`select name from unnest(${names}::text[]) as name order by ${byName('name')}`.execute(
      app.db,
    )
  ).rows.map(({ name }) => name)

test('names sort as people count', async () => {
  const inOrder = ['', '2', '10', 'Z-1', 'api', 'api-01', 'api-1', 'api-2-b', 'api-12', 'api-108', 'api-a', 'apis', 'ä']
  expect(inOrder.toReversed().sort(compareNames)).toEqual(inOrder)
  expect(await inDatabase(inOrder.toReversed())).toEqual(inOrder)
})

test('the database and lists in memory sort names in the same order', async () => {
  const part = fc.oneof(
    fc.constantFrom('a', 'B', 'b', '-', '.', '/', ':', '_', ' ', '0', '00', 'é', '中'),
    fc.nat().map(String),
  )
  const name = fc.array(part, { maxLength: 6 }).map((parts) => parts.join('').slice(0, 20))
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { maxLength: 40 }), async (names) => {
      expect(await inDatabase(names)).toEqual(names.toSorted(compareNames))
    }),
    { numRuns: 50 },
  )
})

test.each([
  ['pipeline_by_natural_name', 'pipeline where team_id = 1'],
  ['pipeline_of_group_by_natural_name', 'pipeline where group_id = 1'],
  ['stack_by_natural_name', 'stack where team_id = 1'],
  ['account_by_natural_name', 'account'],
])('a page sorted by name is read from %s', async (index, rows) => {
  await app.db.transaction().execute(async (db) => {
    for (const way of ['seqscan', 'bitmapscan', 'sort'])
      await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(db)
    const { rows: lines } = await sql<Record<'QUERY PLAN', string>>`explain select id from ${sql.raw(rows)}
      order by natural_name, id limit 10`.execute(db)
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n')
    expect(plan).toContain(index)
    expect(plan).not.toContain('Sort')
  })
})

test('no list sorts names in another order', async () => {
  const root = join(import.meta.dirname, '..')
  const files = (await readdir(root, { recursive: true })).filter((path) => /\.(store|read|search)\.ts$/.test(path))
  expect(files.length).toBeGreaterThan(40)
  const own = /collate "|order by \w*\.?\w*name\b|orderBy\(\s*'[\w.]*(?<!natural_)[nN]ame'/
  const found: string[] = []
  for (const file of files) if (own.test(await readFile(join(root, file), 'utf8'))) found.push(file)
  expect(found).toEqual([])
})
