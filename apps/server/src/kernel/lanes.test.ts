import { expect, test } from 'vitest'
import { inLanes } from './lanes.ts'

test('a list is worked through in its order of answers, not more than so many at once', async () => {
  let [now, most] = [0, 0]
  const results = await inLanes([5, 1, 4, 2, 3], 2, async (ms) => {
    most = Math.max(most, ++now)
    await new Promise((resolve) => setTimeout(resolve, ms))
    now--
    return ms * 10
  })
  expect(results).toEqual([50, 10, 40, 20, 30])
  expect(most).toBe(2)
})

test('the first failure is thrown, and nothing more is begun', async () => {
  const begun: number[] = []
  const work = async (item: number) => {
    begun.push(item)
    await new Promise((resolve) => setImmediate(resolve))
    if (item === 2) throw new Error('two')
  }
  await expect(inLanes([1, 2, 3, 4, 5, 6], 2, work)).rejects.toThrow('two')
  // As many turns of the event loop as all of them would take.
  for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(begun).not.toContain(5)
})
