import { expect, test } from 'vitest'
import { clearHits, hit, hitsOf } from './counters.ts'
import { testDatabase } from '../../test/test-app.ts'

const { db } = await testDatabase()

test('concurrent hits are all counted', async () => {
  const counts = await Promise.all(Array.from({ length: 50 }, () => hit(db, 'parallel', 600)))
  expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
  expect(await hitsOf(db, 'parallel')).toMatchObject({ hits: 50 })
})

test('a window ends by the database’s clock, and the count of the next window starts at one', async () => {
  await hit(db, 'window', 600)
  await hit(db, 'window', 600)
  await db
    .updateTable('rate_counter')
    .set({ expires_at: new Date(0) })
    .where('key', '=', 'window')
    .execute()
  expect(await hitsOf(db, 'window')).toEqual({ hits: 0, seconds: 0 })
  expect(await hit(db, 'window', 600)).toBe(1)
  await clearHits(db, 'window')
  expect(await hitsOf(db, 'window')).toEqual({ hits: 0, seconds: 0 })
})
