import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dark, light } from '../theme/palette.ts'
import { lineColour, lineDash } from './chart-colours.ts'
import { largestOf, scaleOf, summaryOf } from './chart-scale.ts'

describe('a scale has round marks', () => {
  test.each<[number, Parameters<typeof scaleOf>[1], max: number, interval: number]>([
    [0, {}, 1, 0.25],
    [0, { ceiling: 100 }, 100, 25],
    [0.03, {}, 0.03, 0.01],
    [0.9, {}, 1, 0.5],
    [7, {}, 8, 2],
    [101, {}, 150, 50],
    [9.9, { ceiling: 100 }, 10, 5],
    [97, { ceiling: 100 }, 100, 50],
    [140, { ceiling: 100 }, 100, 50],
    [300 * 2 ** 20, { binary: true }, 384 * 2 ** 20, 128 * 2 ** 20],
    [2 ** 30, { binary: true }, 2 ** 30, 2 ** 28],
    [0.5, { binary: true }, 0.6, 0.2],
  ])('%d %o', (most, options, max, interval) => {
    const scale = scaleOf(most, options)
    expect(scale.max).toBeCloseTo(max, 9)
    expect(scale.interval).toBeCloseTo(interval, 9)
  })

  test('a scale covers every figure, with a few marks', () => {
    const figure = fc.double({ min: 1e-9, max: 1e15, noNaN: true })
    fc.assert(
      fc.property(figure, fc.boolean(), (most, binary) => {
        const { max, interval } = scaleOf(most, { binary })
        expect(max * (1 + 1e-6)).toBeGreaterThanOrEqual(most)
        expect(Math.round(max / interval)).toBeGreaterThanOrEqual(1)
        expect(Math.round(max / interval)).toBeLessThanOrEqual(5)
      }),
    )
  })
})

test('a summary covers measured values; without any it is undefined', () => {
  expect(
    summaryOf([
      [0, null],
      [1, 2],
      [2, 6],
      [3, null],
    ]),
  ).toEqual({ least: 2, mean: 4, most: 6, last: 6 })
  expect(summaryOf([[0, null]])).toBeUndefined()
  expect(largestOf([])).toBe(0)
})

/** WCAG's relative luminance. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (a: string, b: string): number => {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

test('every line is visible on its surface, and no two look alike', () => {
  const lines = Array.from({ length: 24 }, (_, at) => at)
  for (const isDark of [false, true]) {
    const { surface } = isDark ? dark : light
    for (const at of lines) expect(contrast(lineColour(at, isDark), surface)).toBeGreaterThan(3)
    expect(new Set(lines.map((at) => `${lineColour(at, isDark)} ${lineDash(at)}`)).size).toBe(lines.length)
  }
})
