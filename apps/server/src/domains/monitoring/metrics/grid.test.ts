import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { averaged, onGrid, summed } from './grid.ts'

type Point = [number, number | null]

describe('figures on a grid of times', () => {
  test('what was not measured is a gap', () => {
    expect(
      onGrid(
        [
          [0, 1],
          [20, 3],
        ],
        [0, 10, 20, 30],
      ),
    ).toEqual([
      [0, 1],
      [10, null],
      [20, 3],
      [30, null],
    ])
  })

  test('every time of the range occurs once, and a figure holds only for its duration', () => {
    expect(onGrid([[0, 1]], [0, 10, 20], 10)).toEqual([
      [0, 1],
      [10, 1],
      [20, null],
    ])
  })

  const points = fc
    .uniqueArray(fc.integer({ min: 0, max: 1000 }), { maxLength: 60 })
    .chain((times) =>
      fc.tuple(
        ...times
          .toSorted((a, b) => a - b)
          .map((at) => fc.option(fc.integer({ min: 0, max: 9 })).map((value): Point => [at, value])),
      ),
    )
  const moments = [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]

  test('for any input every time occurs once with its last figure that still holds', () => {
    fc.assert(
      fc.property(points, fc.integer({ min: 0, max: 300 }), (given, lasts) => {
        const found = onGrid(given, moments, lasts)
        expect(found.map(([at]) => at)).toEqual(moments)
        for (const [at, value] of found) {
          const near = given.filter(([time, one]) => one !== null && time <= at && at - time <= lasts)
          expect(value).toBe(near.at(-1)?.[1] ?? null)
        }
      }),
    )
  })

  test('a mean lies between the figures since the previous time', () => {
    fc.assert(
      fc.property(points, (given) => {
        for (const [at, value] of averaged(given, moments, 100, 0)) {
          const within = given.flatMap(([time, one]) => (one !== null && time > at - 100 && time <= at ? [one] : []))
          if (within.length === 0) expect(value).toBeNull()
          else expect(value).toBeCloseTo(within.reduce((a, b) => a + b, 0) / within.length, 9)
        }
      }),
    )
  })
})

test('a sum has a gap only if no series has a figure', () => {
  const one: Point[] = [
    [0, 1],
    [1, null],
    [2, null],
  ]
  const other: Point[] = [
    [0, 2],
    [1, 5],
    [2, null],
  ]
  expect(summed([one, other])).toEqual([
    [0, 3],
    [1, 5],
    [2, null],
  ])
  expect(summed([])).toEqual([])
})
