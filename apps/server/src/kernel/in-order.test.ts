import fc from 'fast-check'
import { expect, test } from 'vitest'
import { by, inOrder, reversed, thenBy } from './in-order.ts'

const row = fc.record({ name: fc.string({ maxLength: 2 }), count: fc.integer({ min: 0, max: 5 }), key: fc.nat() })
const rows = fc.uniqueArray(row, { selector: ({ key }) => key, maxLength: 400 })

test('a page equals the same page of the sorted list', () => {
  const key = by(({ key }: { key: number }) => key)
  const orders = [by(({ name }: { name: string }) => name), by(({ count }: { count: number }) => count)]
  fc.assert(
    fc.property(
      rows,
      fc.constantFrom(...orders),
      fc.boolean(),
      fc.nat(420),
      fc.nat(60),
      (list, order, down, from, size) => {
        const compare = thenBy<(typeof list)[number]>(down ? reversed(order as never) : (order as never), key)
        expect(inOrder([...list], compare, from, from + size)).toEqual(list.toSorted(compare).slice(from, from + size))
      },
    ),
  )
})

test('texts sort by code unit, and equal ones by the next key', () => {
  const list = ['b', 'a', 'Z', 'ä', ''].map((name, count) => ({ name, count }))
  expect(
    inOrder(
      list,
      by(({ name }) => name),
      0,
      9,
    ).map(({ name }) => name),
  ).toEqual(['', 'Z', 'a', 'b', 'ä'])
  const equal = [3, 1, 2].map((count) => ({ count, same: 'x' }))
  const compare = thenBy(
    by(({ same }: (typeof equal)[number]) => same),
    reversed(by(({ count }) => count)),
  )
  expect(inOrder(equal, compare, 0, 2).map(({ count }) => count)).toEqual([3, 2])
})
