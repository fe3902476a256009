import { expect, test } from 'vitest'
import { inLanes } from './lanes.ts'

test('works through a list, at most so many at once, and returns the results in the list’s order', async () => {
  const begun: number[] = []
  const works = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const done = inLanes([0, 1, 2, 3], 2, async (at) => {
    begun.push(at)
    await works[at]?.promise
    return at * 10
  })
  const finish = async (at: number): Promise<void> => {
    works[at]?.resolve()
    // a free lane takes the next item within this turn of the event loop
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

test('throws the first failure, and starts no further work', async () => {
  const begun: number[] = []
  const work = async (item: number) => {
    begun.push(item)
    await new Promise((resolve) => setImmediate(resolve))
    if (item === 2) throw new Error('two')
  }
  await expect(inLanes([1, 2, 3, 4, 5, 6], 2, work)).rejects.toThrow('two')
  // as many turns of the event loop as the whole list would take
  for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(begun).not.toContain(5)
})
