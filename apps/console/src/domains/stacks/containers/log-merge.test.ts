import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inOrder, logCursor, stampOf, type LogEntry } from './log-merge.ts'

const second = (n: number, fraction = ''): string => `2026-01-01T00:00:${String(n).padStart(2, '0')}${fraction}Z`

describe('a moment', () => {
  test('compares as text, however many digits it was given', () => {
    expect(stampOf(second(1, '.5')) > stampOf(second(1, '.123456789'))).toBe(true)
    expect(stampOf(second(1)) < stampOf(second(1, '.000000001'))).toBe(true)
    expect(stampOf(second(2)) > stampOf(second(1, '.999'))).toBe(true)
  })
})

describe('a log that is followed again', () => {
  // Lines of one container; some were written in the same moment.
  const log = fc
    .array(fc.nat(3), { minLength: 1, maxLength: 40 })
    .map((steps) => {
      let at = 0
      return steps.map((step, n): LogEntry => {
        at += step
        return { at: second(at % 60, `.${String(at).padStart(3, '0')}`), text: `line ${n}` }
      })
    })
    .filter((lines) => lines.every((line, n) => n === 0 || stampOf(line.at) >= stampOf(lines[n - 1]?.at ?? '')))

  test('delivers every line once, wherever the connection broke and however far back it begins', () => {
    fc.assert(
      fc.property(log, fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { maxLength: 4 }), (lines, breaks) => {
        const cursor = logCursor()
        const seen: LogEntry[] = []
        let reached = 0
        for (const [more, back] of [...breaks, [lines.length, lines.length] as const]) {
          cursor.begin()
          const until = Math.min(lines.length, reached + more)
          // The connection begins with a tail that covers what is missing, and perhaps lines that were seen.
          seen.push(...cursor.take(lines.slice(reached === 0 ? 0 : Math.max(0, firstOf(lines, reached) - back), until)))
          reached = Math.max(reached, until)
        }
        expect(seen).toEqual(lines)
      }),
    )
  })

  /** A tail begins between timestamps here: within one, the cluster cannot tell which lines were seen. */
  const firstOf = (lines: readonly LogEntry[], at: number): number =>
    lines.findIndex((line) => line.at === lines[Math.min(at, lines.length) - 1]?.at)

  test('keeps lines without a timestamp', () => {
    const cursor = logCursor()
    cursor.begin()
    expect(cursor.take([{ at: '', text: 'a' }])).toHaveLength(1)
    cursor.begin()
    expect(cursor.take([{ at: '', text: 'a' }])).toHaveLength(1)
  })
})

test('lines of several containers are in the order in which they were written, those with equal times as they arrived', () => {
  const lines = [
    { at: second(2), text: 'c' },
    { at: second(1, '.5'), text: 'b' },
    { at: second(1), text: 'a' },
    { at: second(2), text: 'd' },
  ]
  expect(inOrder(lines).map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd'])
})
