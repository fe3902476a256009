import { expect, test } from 'vitest'
import { recent } from './recent.ts'

test('concurrent readers share one read, and it is repeated after its time', async () => {
  let reads = 0
  const read = () => Promise.resolve(++reads)
  const kept = recent<number>(Infinity, 10)
  expect(await Promise.all([kept.get('a', read), kept.get('a', read), kept.get('b', read)])).toEqual([1, 1, 2])
  const brief = recent<number>(-1, 10)
  expect([await brief.get('a', read), await brief.get('a', read)]).toEqual([3, 4])
})

test('only the most recently used entries are kept', async () => {
  const kept = recent<string>(Infinity, 2)
  const read = (value: string) => () => Promise.resolve(value)
  for (const key of ['a', 'b', 'a', 'c']) await kept.get(key, read(key))
  expect(kept.size).toBe(2)
  expect(await kept.get('a', read('new'))).toBe('a')
  expect(await kept.get('b', read('new'))).toBe('new')
})

test('a failure reaches those who wait for it, and is not cached', async () => {
  const kept = recent<number>(Infinity, 2)
  const failed = () => Promise.reject(new Error('no'))
  const both = await Promise.allSettled([kept.get('a', failed), kept.get('a', failed)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await kept.get('a', () => Promise.resolve(1))).toBe(1)
})

test('entries with the same prefix are dropped together', async () => {
  const kept = recent<number>(Infinity, 9)
  for (const key of ['a 1', 'a 2', 'b 1']) await kept.get(key, () => Promise.resolve(1))
  kept.forget('a ')
  expect(kept.size).toBe(1)
})
