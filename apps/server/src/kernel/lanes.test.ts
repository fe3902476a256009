import { expect, test } from 'vitest'
import { inLanes } from './lanes.ts'

test('a list is worked through in its order of answers, not more than so many at once', async () => {
  const begun: number[] = []
  const works = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const done = inLanes([0, 1, 2, 3], 2, async (at) => {
    begun.push(at)
    await works[at]?.promise
    return at * 10
  })
  const finish = async (at: number): Promise<void> => {
    works[at]?.resolve()
    // whoever is free takes the next in this turn
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(begun).toEqual([0, 1])
  await finish(1)
  expect(begun).toEqual([0, 1, 2])
  await finish(2)
  expect(begun).toEqual([0, 1, 2, 3])
  await finish(3)
  await finish(0)
  expect(await done).toEqual([0, 10, 20, 30])
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
