import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageCap } from '@gantry/contract/paging'
import { countCap, listed, page, paged } from './paging.ts'

test('a page is never larger than the cap, and the answer says when it was cut', () => {
  const sizes = fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: 9999 }))
  fc.assert(
    fc.property(
      sizes,
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 0, max: 3000 }),
      (pageSize, requestPage, total) => {
        const rows = Array.from({ length: total }, (_, n) => n)
        const at = page({ pageSize, requestPage })
        const list = paged(rows, at)
        expect(list.items).toEqual(rows.slice(at.offset, at.offset + at.limit))
        expect(list.items.length).toBeLessThanOrEqual(pageCap)
        expect(list.totalSize).toBe(total)
        const all = pageSize === -1 || pageSize > pageCap
        expect(list.truncated ?? false).toBe(all && at.offset + list.items.length < total)
      },
    ),
  )
})

test('totals are exact to 10,000, then 10,000 with a note', () => {
  const at = page({ pageSize: 10 })
  expect(listed([], countCap, at)).toMatchObject({ totalSize: 10_000 })
  expect(listed([], countCap, at).truncated).toBeUndefined()
  expect(listed([], countCap + 1, at)).toMatchObject({ totalSize: 10_000, truncated: true })
})

test('the page number has three accepted names', () => {
  expect(page({ requestPage: 2, currentPage: 3, page: 4, pageSize: 5 }).offset).toBe(5)
  expect(page({ currentPage: 3, page: 4, pageSize: 5 }).offset).toBe(10)
  expect(page({ page: 4, pageSize: 5 }).offset).toBe(15)
})
