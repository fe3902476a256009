import { describe, expect, test } from 'vitest'
import { type PeriodInput, slotsOf } from './periods.ts'

const at = (text: string): number => Date.parse(text)
const now = at('2026-11-24T19:30:00Z')
const times = (input: PeriodInput) => {
  const { bounds, ...period } = slotsOf(input, now)
  return { ...period, bounds: bounds.map((bound) => new Date(bound).toISOString()) }
}

describe('a period', () => {
  test.for([
    ['WEEK', 'UTC', 'day', 7, '2026-11-18T00:00:00.000Z'],
    // it is already the next day there
    ['WEEK', 'Asia/Shanghai', 'day', 7, '2026-11-18T16:00:00.000Z'],
    ['MONTH', 'UTC', 'day', 30, '2026-10-26T00:00:00.000Z'],
    ['QUARTER', 'UTC', 'week', 13, '2026-08-31T00:00:00.000Z'],
    ['YEAR', 'UTC', 'month', 12, '2025-12-01T00:00:00.000Z'],
    ['YEAR', 'America/New_York', 'month', 12, '2025-12-01T05:00:00.000Z'],
  ] as const)('%s in %s has whole units in local time and ends now', ([type, zone, unit, slots, start]) => {
    const { bounds, ...period } = times({ type, zone })
    expect(period).toEqual({ unit, startTime: at(start), endTime: now + 1 })
    expect(bounds).toHaveLength(slots + 1)
    expect(bounds[0]).toBe(start)
    expect(bounds.at(-1)).toBe(new Date(now + 1).toISOString())
  })

  test('of days has one of 23 hours and one of 25 where the clock changes', () => {
    const lengths = (startTime: number) => {
      const { bounds } = slotsOf(
        { type: 'RANGE', zone: 'Europe/Berlin', startTime, endTime: startTime + 70 * 3_600_000 },
        now,
      )
      return bounds.slice(1, -1).map((bound, i) => (bound - (bounds[i] ?? 0)) / 3_600_000)
    }
    expect(lengths(at('2026-03-27T23:00:00Z'))).toEqual([24, 23])
    expect(lengths(at('2026-10-23T22:00:00Z'))).toEqual([24, 25])
  })

  test.for([
    [1, 'hour'],
    [3, 'day'],
    [90, 'week'],
    [700, 'month'],
  ] as const)('of %i days is cut into units of a %s, the first and the last as they come', ([days, unit]) => {
    const startTime = at('2026-01-01T00:20:00Z')
    const endTime = startTime + days * 86_400_000
    const slots = slotsOf({ type: 'RANGE', zone: 'UTC', startTime, endTime }, now)
    expect(slots).toMatchObject({ unit, startTime, endTime })
    expect(slots.bounds[0]).toBe(startTime)
    expect(slots.bounds.at(-1)).toBe(endTime)
    expect(slots.bounds).toEqual([...new Set(slots.bounds)].toSorted((a, b) => a - b))
    expect(slots.bounds.length).toBeLessThan(70)
  })

  test('without an end lasts until now', () => {
    expect(slotsOf({ type: 'RANGE', zone: 'UTC', startTime: now - 1000, endTime: 0 }, now).endTime).toBe(now)
  })
})
