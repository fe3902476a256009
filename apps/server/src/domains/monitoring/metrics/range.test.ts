import fc from 'fast-check'
import { durationOf } from '@gantry/contract/monitoring/metrics'
import { describe, expect, test } from 'vitest'
import { type RangeInput, longestMs, momentsOf, maxPoints, rangeOf } from './range.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = Date.UTC(2026, 10, 21, 12)

describe('the step follows from the span', () => {
  test.each<[string, RangeInput, stepSeconds: number, points: number]>([
    ['15 minutes', { start: 0, end: 0, type: 'MINUTE', duration: 15 }, 15, 61],
    ['one hour, where nothing else is said', { start: 0, end: 0 }, 15, 241],
    ['2 hours', { start: 0, end: 0, duration: 2 }, 15, 481],
    ['6 hours', { start: 0, end: 0, duration: 6 }, 60, 361],
    ['24 hours', { start: 0, end: 0, type: 'DAY', duration: 1 }, 300, 289],
    ['7 days', { start: 0, end: 0, type: 'WEEK', duration: 1 }, 1800, 337],
    ['31 days', { start: now - 31 * day, end: now }, 7200, 373],
    ['a step that fits', { start: now - hour, end: now, step: 30 }, 30, 121],
    ['a step that would give too many points', { start: now - day, end: now, step: 1 }, 300, 289],
    ['a step longer than the span', { start: now - hour, end: now, step: 86_400 }, 3600, 2],
    ['one second', { start: now - 1000, end: now }, 1, 2],
  ])('%s', (_, input, stepSeconds, points) => {
    const range = rangeOf(input, now)
    expect({ stepSeconds: range.stepSeconds, points: momentsOf(range).length }).toEqual({ stepSeconds, points })
    expect(range.cut).toBe(false)
  })
})

describe('an invalid range is refused', () => {
  test.each<[string, RangeInput, key: string]>([
    ['a start after the end', { start: now - hour, end: now - 2 * hour }, 'range-order'],
    ['a start at the end', { start: now - hour, end: now - hour }, 'range-order'],
    ['a start that is still to come', { start: now + hour, end: now + 2 * hour }, 'range-order'],
    ['no number', { start: Number.NaN, end: 0 }, 'range-order'],
    ['a fraction', { start: 0.5, end: 0 }, 'range-order'],
    ['no end', { start: 0, end: Number.POSITIVE_INFINITY }, 'range-order'],
    ['no duration', { start: 0, end: 0, duration: 0 }, 'range-order'],
    ['no step', { start: 0, end: 0, step: 0 }, 'range-step'],
    ['a negative step', { start: 0, end: 0, step: -60 }, 'range-step'],
  ])('%s', (_, input, key) => {
    expect(() => rangeOf(input, now)).toThrow(expect.objectContaining({ kind: 'invalid', key }))
  })
})

test('a year is cut to the maximum span of an answer, which says so', () => {
  const range = rangeOf({ start: now - 365 * day, end: now }, now)
  expect(range).toMatchObject({ start: now - longestMs, end: now, cut: true })
  expect(rangeOf({ start: 0, end: 0, type: 'WEEK', duration: 52 }, now)).toMatchObject({ cut: true })
  // an open range is limited, but not marked as cut
  expect(rangeOf({ start: 0, end: 0, type: 'RANGE' }, now)).toMatchObject({ start: now - longestMs, cut: false })
})

test('an end in the future means now, like an open end', () => {
  expect(rangeOf({ start: now - hour, end: now + day }, now).end).toBe(now)
  expect(rangeOf({ start: now - hour, end: 0 }, now).end).toBe(now)
  expect(rangeOf({ start: 0, end: now - day, duration: 1 }, now)).toMatchObject({
    start: now - day - hour,
    end: now - day,
  })
})

test('any answer is bounded, on its grid, and the same a moment later', () => {
  const inputs = fc.record({
    start: fc.integer({ min: 1, max: now - 1 }),
    end: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2 * now })),
    step: fc.option(fc.integer({ min: 1, max: 86_400 }), { nil: undefined }),
  })
  fc.assert(
    fc.property(inputs, fc.constantFrom(1, 60), (given, least) => {
      fc.pre(given.end === 0 || given.end > given.start)
      const range = rangeOf(given, now, least)
      const stepMs = range.stepSeconds * 1000
      const moments = momentsOf(range)
      expect(moments.length).toBeGreaterThan(0)
      expect(moments.length).toBeLessThanOrEqual(maxPoints)
      expect(range.stepSeconds).toBeGreaterThanOrEqual(least)
      expect(range.end % Math.min(stepMs, 60_000)).toBe(0)
      expect(moments.every((at) => at <= now)).toBe(true)
      expect(moments.at(-1)).toBe(range.end)
      if (given.end !== 0 && given.end <= now) expect(rangeOf(given, now + 1, least)).toEqual(range)
    }),
  )
})

describe('the unit of a duration, as specified', () => {
  test.each([
    [15 * minute, 'MINUTE', 15],
    [59 * minute, 'MINUTE', 59],
    [hour, 'HOUR', 1],
    [23 * hour, 'HOUR', 23],
    [24 * hour, 'DAY', 1],
    [144 * hour, 'DAY', 6],
    [168 * hour, 'WEEK', 1],
    [336 * hour, 'WEEK', 2],
  ] as const)('%i ms', (span, type, duration) => {
    expect(durationOf(span)).toEqual({ type, duration })
  })

  test.each([0, -hour, 90 * minute, 167 * hour, 200 * hour])('%i ms is not a whole number of its unit', (span) => {
    expect(durationOf(span)).toBeUndefined()
  })
})
