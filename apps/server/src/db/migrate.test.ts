import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import pino from 'pino'
import { expect, test } from 'vitest'
import { newDatabase } from '../../test/new-database.ts'
import { testFolder } from '../../test/test-folder.ts'
import { migrate } from './migrate.ts'

const log = pino({ level: 'silent' })
const emptyDatabase = () => newDatabase('blank')

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = testFolder('migrations')
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

test('replicas that start at once apply each file only once', async () => {
  const url = await emptyDatabase()
  const folder = await folderOf({
    '202601010000_a.sql': 'create table a (id int); select pg_sleep(0.2);',
    '202601010001_b.sql': 'create table b (id int);',
  })
  const applied = await Promise.all([1, 2, 3].map(() => migrate(url, log, folder)))
  expect(applied.filter((names) => names.length > 0)).toEqual([['202601010000_a', '202601010001_b']])
})

test('a file with an earlier stamp that arrives late still runs', async () => {
  const url = await emptyDatabase()
  const files = { '202601010002_later.sql': 'create table later (id int);' }
  await migrate(url, log, await folderOf(files))
  const both = await folderOf({ ...files, '202601010001_earlier.sql': 'create table earlier (id int);' })
  expect(await migrate(url, log, both)).toEqual(['202601010001_earlier'])
})

test('a failing file is rolled back whole, and the files before it stay applied', async () => {
  const url = await emptyDatabase()
  const folder = await folderOf({
    '202601010000_good.sql': 'create table good (id int);',
    '202601010001_bad.sql': 'create table half (id int); select nonsense;',
  })
  await expect(migrate(url, log, folder)).rejects.toThrow('Migration 202601010001_bad failed and was rolled back')
  expect(await query(url, `select to_regclass('good')::text as good, to_regclass('half')::text as half`)).toEqual([
    { good: 'good', half: null },
  ])
})

test('a newer schema is refused with one line and left unchanged', async () => {
  const url = await emptyDatabase()
  await migrate(url, log, await folderOf({ '202601010000_old.sql': 'select 1', '202701010000_new.sql': 'select 1' }))
  const older = await folderOf({
    '202601010000_old.sql': 'select 1',
    '202601010001_mine.sql': 'create table mine (id int);',
  })
  await expect(migrate(url, log, older)).rejects.toThrow('migrated by a newer release (202701010000_new)')
  expect(await query(url, `select to_regclass('mine')::text as mine`)).toEqual([{ mine: null }])
})

test('a file that changed after it ran is refused', async () => {
  const url = await emptyDatabase()
  await migrate(url, log, await folderOf({ '202601010000_a.sql': 'select 1' }))
  await expect(migrate(url, log, await folderOf({ '202601010000_a.sql': 'select 2' }))).rejects.toThrow(
    'was changed after',
  )
})

test('a database that does not answer is reported with the name of its environment variable', async () => {
  await expect(migrate('postgresql://x:y@127.0.0.1:1/x', log)).rejects.toThrow(
    /^DATABASE_URL: the database does not answer/,
  )
})
