import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { expect, test } from 'vitest'
import { sharedRead } from './shared-read.ts'
import type { Tables } from './tables.gen.ts'

const db = () => new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new Pool() }) })

/** Reads that end when the test resolves them, in order. */
function reads() {
  const open: PromiseWithResolvers<string>[] = []
  const read = () => {
    const one = Promise.withResolvers<string>()
    open.push(one)
    return one.promise
  }
  return { open, read }
}

test('callers that come during a read share the next one, which begins after it', async () => {
  const [one, { open, read }] = [db(), reads()]
  const first = sharedRead(one, ['list', 1], read)
  const later = [sharedRead(one, ['list', 1], read), sharedRead(one, ['list', 1], read)]
  expect(open).toHaveLength(1)
  open[0]?.resolve('before')
  expect(await first).toBe('before')
  expect(open).toHaveLength(2)
  const last = sharedRead(one, ['list', 1], read)
  open[1]?.resolve('after')
  expect(await Promise.all(later)).toEqual(['after', 'after'])
  expect(open).toHaveLength(3)
  open[2]?.resolve('last')
  expect(await last).toBe('last')
  void sharedRead(one, ['list', 1], read)
  expect(open).toHaveLength(4)
})

test('reads of other keys or other databases are not shared', () => {
  const [one, { open, read }] = [db(), reads()]
  void sharedRead(one, ['list', 1], read)
  void sharedRead(one, ['list', '1'], read)
  void sharedRead(one, ['list', 1, 'zh'], read)
  void sharedRead(db(), ['list', 1], read)
  expect(open).toHaveLength(4)
})

test('a failed read fails for all who share it, and the next read still begins', async () => {
  const [one, { open, read }] = [db(), reads()]
  const first = sharedRead(one, ['list'], read)
  const second = sharedRead(one, ['list'], read)
  open[0]?.reject(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  open[1]?.resolve('read')
  expect(await second).toBe('read')
})
