import { expect, test } from 'vitest'
import { differenceOf, percentOf, shownPercent } from './percent.ts'

test('a percentage is rounded down, and a difference is that of the rounded values', () => {
  expect(shownPercent(percentOf({ lines: 10_000, covered: 9996 }))).toBe('99.9')
  expect(shownPercent(percentOf({ lines: 0, covered: 0 }))).toBe('100.0')
  expect(differenceOf({ lines: 3, covered: 2 }, { lines: 3, covered: 1 })).toBe(33.3)
  expect(differenceOf({ lines: 10_000, covered: 5001 }, { lines: 10_000, covered: 5002 })).toBe(0)
})
