import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openMerge, stampOf, type LogEntry } from './merge.ts'

const second = (n: number, fraction = ''): string => `2026-01-01T00:00:${String(n).padStart(2, '0')}${fraction}Z`

test('timestamps compare as text, however many digits they have', () => {
  expect(stampOf(second(1, '.5')) > stampOf(second(1, '.123456789'))).toBe(true)
  expect(stampOf(second(1)) < stampOf(second(1, '.000000001'))).toBe(true)
  expect(stampOf(second(2)) > stampOf(second(1, '.999'))).toBe(true)
})

describe('merged logs', () => {
  test('a line waits for the other logs, but not forever', () => {
    let now = 0
    const merge = openMerge<string>(300, () => now)
    const [a, b] = [merge.add('a'), merge.add('b')]
    void a.push({ at: second(2), text: 'two' })
    expect(merge.take(10)).toEqual([])
    now = 200
    void b.push({ at: second(1), text: 'one' })
    expect(merge.take(10).map(({ entry }) => entry.text)).toEqual(['one'])
    now = 301
    expect(merge.take(10).map(({ entry }) => entry.text)).toEqual(['two'])
  })

  test('a log that has ended is not waited for', () => {
    const merge = openMerge<string>(300, () => 0)
    const [a, b] = [merge.add('a'), merge.add('b')]
    void a.push({ at: second(2), text: 'two' })
    b.end()
    expect(merge.take(10)).toHaveLength(1)
  })

  test('a log whose lines nobody takes is read only up to its limit', async () => {
    const merge = openMerge<string>(0, () => 0)
    const feed = merge.add('a')
    let pushed = 0
    const pushing = (async () => {
      for (; pushed < 100; pushed++) await feed.push({ at: second(1), text: 'x'.repeat(10_000) })
    })()
    await new Promise((resolve) => setImmediate(resolve))
    expect(pushed).toBeLessThan(30)
    let taken = 0
    while (taken < 100) {
      taken += merge.take(5).length
      await new Promise((resolve) => setImmediate(resolve))
    }
    await pushing
    expect(merge.take(10)).toEqual([])
  })

  test('no line is lost or repeated, each log keeps its order, and all are ordered by time', () => {
    const log = fc.array(fc.tuple(fc.nat(59), fc.string({ maxLength: 5 })), { maxLength: 30 })
    fc.assert(
      fc.property(fc.array(log, { minLength: 1, maxLength: 6 }), fc.boolean(), (logs, sorted) => {
        const merge = openMerge<number>(300, () => 0)
        const given = logs.map((lines) => {
          const all = lines.map(([at, text]): LogEntry => ({ at: second(at), text }))
          return sorted ? all.toSorted((a, b) => (a.at < b.at ? -1 : 1)) : all
        })
        for (const [n, lines] of given.entries()) {
          const feed = merge.add(n)
          for (const line of lines) void feed.push(line)
          feed.end()
        }
        const taken = merge.take(10_000)
        for (const [n, lines] of given.entries())
          expect(taken.filter(({ key }) => key === n).map(({ entry }) => entry)).toEqual(lines)
        if (sorted) {
          const stamps = taken.map(({ entry }) => stampOf(entry.at))
          expect(stamps).toEqual(stamps.toSorted())
        }
      }),
    )
  })
})
