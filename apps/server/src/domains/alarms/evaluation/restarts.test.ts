import { expect, test } from 'vitest'
import { countRestarts, restartWindow, type SeenRestarts } from './restarts.ts'

const looks = (...rounds: [minute: number, counts: Record<string, number>][]) => {
  let seen: SeenRestarts | undefined
  return rounds.map(([minute, counts]) => {
    const { after, restarts } = countRestarts(seen, counts, minute * 60_000)
    seen = after
    return restarts
  })
}

test('restarts count from the first look on, for fifteen minutes', () => {
  expect(looks([0, { a: 7 }], [1, { a: 7 }], [2, { a: 9 }], [3, { a: 10 }])).toEqual([0, 0, 2, 3])
  const minutes = restartWindow / 60_000
  expect(looks([0, { a: 0 }], [1, { a: 2 }], [minutes, { a: 2 }], [minutes + 1, { a: 2 }])).toEqual([0, 2, 2, 0])
})

test('the restarts of a replacement pod count', () => {
  expect(looks([0, { a: 5 }], [1, { b: 0 }], [2, { b: 1 }], [3, { c: 2 }])).toEqual([0, 0, 1, 3])
})
