import fc from 'fast-check'
import { expect, test } from 'vitest'
import { freeBottom, type Box } from './free-place.ts'

const space: Box = { left: 600, top: 60, right: 984, bottom: 784 }
const button = (top: number, left = 700): Box => ({ left, top, right: left + 90, bottom: top + 32 })

test('without an obstacle it is at the end of the space', () => {
  expect(freeBottom(space, 48, [])).toBe(784)
})

test('it is above obstacles, and above a column of them', () => {
  expect(freeBottom(space, 48, [button(760)])).toBe(752)
  expect(freeBottom(space, 48, [button(760), button(710)])).toBe(702)
  // enough room between the two
  expect(freeBottom(space, 48, [button(760), button(600)])).toBe(752)
})

test('an obstacle beside it does not move it', () => {
  expect(freeBottom(space, 48, [button(760, 100)])).toBe(784)
})

test('if no place is free it covers the least', () => {
  const rows = Array.from({ length: 20 }, (_, at) => button(60 + at * 40))
  const bottom = freeBottom(space, 60, rows)
  expect(bottom - 60).toBeGreaterThanOrEqual(space.top)
  expect(bottom).toBeLessThanOrEqual(space.bottom)
})

test('it covers no obstacle if a place is free, and stays in the space', () => {
  const top = fc.integer({ min: 0, max: 800 })
  fc.assert(
    fc.property(fc.array(top, { maxLength: 6 }), fc.integer({ min: 20, max: 60 }), (tops, height) => {
      const obstacles = tops.map((at) => button(at))
      const bottom = freeBottom(space, height, obstacles)
      // six buttons never fill the space
      expect(obstacles.some((one) => one.top < bottom && bottom - height < one.bottom)).toBe(false)
      expect(bottom).toBeLessThanOrEqual(space.bottom)
      expect(bottom - height).toBeGreaterThanOrEqual(space.top)
    }),
  )
})
