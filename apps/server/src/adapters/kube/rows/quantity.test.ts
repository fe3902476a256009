import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytes, milliCores, quantity } from './quantity.ts'

test.each([
  ['0', 0],
  ['1', 1],
  ['100m', 0.1],
  ['250u', 0.00025],
  ['12345n', 0.000012345],
  ['1.5Gi', 1_610_612_736],
  ['2e3', 2000],
  ['2E3', 2000],
  ['1E', 1e18],
  ['.5k', 500],
  ['-1', -1],
  ['4M', 4_000_000],
])('%s is %d', (text, value) => {
  expect(quantity(text)).toBeCloseTo(value, 9)
})

test.each(['', 'x', '1 Gi', '1gi', '1KiB', '0x10', '1e', '--1', undefined])('%j is not a quantity', (text) => {
  expect(quantity(text)).toBeUndefined()
})

test('cores and bytes are integers, rounded up, without binary remainders', () => {
  expect([milliCores('0.29'), milliCores('1u'), milliCores('2'), milliCores(undefined)]).toEqual([290, 1, 2000, 0])
  expect([bytes('64Mi'), bytes('0.1k'), bytes('')]).toEqual([67_108_864, 100, 0])
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), (milli) => {
      expect(milliCores(`${milli}m`)).toBe(milli)
      expect(milliCores(String(milli / 1000))).toBe(milli)
    }),
  )
})
