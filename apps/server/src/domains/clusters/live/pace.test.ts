import { beforeEach, expect, test, vi } from 'vitest'
import { paced } from './pace.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

function listening() {
  const told: unknown[] = []
  const made: number[] = []
  const { publish, stop } = paced((content: number | { many: number }) => told.push(content), { most: 3, every: 1000 })
  let n = 0
  const happen = (times: number) => {
    for (let at = 0; at < times; at++) {
      const one = ++n
      publish(() => {
        made.push(one)
        return one
      })
    }
  }
  return { told, made, happen, stop }
}

test('a few messages are published at once, one by one', () => {
  const { told, happen } = listening()
  happen(3)
  expect(told).toEqual([1, 2, 3])
  vi.advanceTimersByTime(1000)
  happen(2)
  expect(told).toEqual([1, 2, 3, 4, 5])
})

test('of a burst one message per second is published, and no other is created', () => {
  const { told, made, happen } = listening()
  happen(10)
  vi.advanceTimersByTime(1000)
  expect(told).toEqual([1, 2, 3, { many: 7 }])
  happen(50)
  expect(told).toHaveLength(4)
  vi.advanceTimersByTime(1000)
  expect(told.at(-1)).toEqual({ many: 50 })
  vi.advanceTimersByTime(1000)
  happen(1)
  expect(told.at(-1)).toBe(61)
  expect(made).toEqual([1, 2, 3, 61])
})

test('a stopped pace publishes nothing more', () => {
  const { told, happen, stop } = listening()
  happen(10)
  stop()
  vi.advanceTimersByTime(5000)
  expect(told).toEqual([1, 2, 3])
})
