import { describe, expect, test } from 'vitest'
import { rangeFrom } from './range.ts'

const at = (text: string): number => new Date(text).getTime()

describe('the query for a time range in the address', () => {
  test.each([
    ['15m', { type: 'MINUTE', duration: 15 }],
    ['1h', { type: 'HOUR', duration: 1 }],
    ['6h', { type: 'HOUR', duration: 6 }],
    ['24h', { type: 'DAY', duration: 1 }],
    ['7d', { type: 'WEEK', duration: 1 }],
    ['for ever', { type: 'HOUR', duration: 1 }],
    ['toString', { type: 'HOUR', duration: 1 }],
  ])('%s', (range, query) => {
    expect(rangeFrom({ range, from: '', until: '' }).query).toEqual(query)
  })

  test.each([
    ['2026-11-01T08:00', '2026-11-02T08:00', true],
    ['2026-11-01T08:00', '', true],
    ['', '2026-11-02T08:00', false],
    ['2026-11-02T08:00', '2026-11-01T08:00', false],
    ['2026-11-02T08:00', '2026-11-02T08:00', false],
    ['yesterday', '', false],
    ['2026-11-01T08:00', 'today', false],
  ])('parses from %s until %s', (from, until, sound) => {
    const { query, every } = rangeFrom({ range: 'custom', from, until })
    expect(query).toEqual(sound ? { type: 'RANGE', start: at(from), end: until === '' ? 0 : at(until) } : undefined)
    expect(every).toBe(false)
  })
})
