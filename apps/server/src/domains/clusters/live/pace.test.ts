import { beforeEach, expect, test, vi } from 'vitest'
import { paced } from './pace.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

function listening() {
  const published: unknown[] = []
  const made: number[] = []
  const { publish, stop } = paced((content: number | { many: number }) => published.push(content), {
    most: 3,
    every: 1000,
  })
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
  return { published, made, happen, stop }
}

test('a few messages are published at once, one by one', () => {
  const { published, happen } = listening()
  happen(3)
  expect(published).toEqual([1, 2, 3])
  vi.advanceTimersByTime(1000)
  happen(2)
  expect(published).toEqual([1, 2, 3, 4, 5])
})

test('of a burst one message per second is published, and no other is created', () => {
  const { published, made, happen } = listening()
  happen(10)
  vi.advanceTimersByTime(1000)
  expect(published).toEqual([1, 2, 3, { many: 7 }])
  happen(50)
  expect(published).toHaveLength(4)
  vi.advanceTimersByTime(1000)
  expect(published.at(-1)).toEqual({ many: 50 })
  vi.advanceTimersByTime(1000)
  happen(1)
  expect(published.at(-1)).toBe(61)
  expect(made).toEqual([1, 2, 3, 61])
})

test('a stopped pace publishes nothing more', () => {
  const { published, happen, stop } = listening()
  happen(10)
  stop()
  vi.advanceTimersByTime(5000)
  expect(published).toEqual([1, 2, 3])
})
