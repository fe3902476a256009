import { expect, test } from 'vitest'
import { keyedSemaphore } from './keyed-semaphore.ts'

const never = new AbortController().signal

test('limits concurrent runs per key and queues the others in order; other keys do not wait', async () => {
  const turn = keyedSemaphore(2)
  const order: number[] = []
  const take = async (at: number) => {
    const leave = await turn('a', never)
    order.push(at)
    return leave
  }
  const [first, second] = await Promise.all([take(1), take(2)])
  const third = take(3)
  const fourth = take(4)
  await turn('b', never)
  expect(order).toEqual([1, 2])
  first()
  first()
  const leave = await third
  expect(order).toEqual([1, 2, 3])
  second()
  await fourth
  expect(order).toEqual([1, 2, 3, 4])
  leave()
})

test('a waiter that is aborted leaves the queue', async () => {
  const turn = keyedSemaphore(1)
  const leave = await turn('a', never)
  const late = new AbortController()
  const waiting = turn('a', late.signal)
  late.abort(new Error('late'))
  await expect(waiting).rejects.toThrow('late')
  const next = turn('a', never)
  leave()
  await next
})
