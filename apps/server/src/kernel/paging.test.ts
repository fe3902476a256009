import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageCap } from '@gantry/contract/paging'
import { countCap, everyName, toList, page, paged } from './paging.ts'

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

test('totals are exact up to 10,000; above that they are 10,000 and marked as truncated', () => {
  const at = page({ pageSize: 10 })
  expect(toList([], countCap, at)).toMatchObject({ totalSize: 10_000 })
  expect(toList([], countCap, at).truncated).toBeUndefined()
  expect(toList([], countCap + 1, at)).toMatchObject({ totalSize: 10_000, truncated: true })
})

test('the page number has three accepted names', () => {
  expect(page({ requestPage: 2, currentPage: 3, page: 4, pageSize: 5 }).offset).toBe(5)
  expect(page({ currentPage: 3, page: 4, pageSize: 5 }).offset).toBe(10)
  expect(page({ page: 4, pageSize: 5 }).offset).toBe(15)
})

/** A registry that returns these pages by their cursor; the first page has an empty one. */
function answering(pages: Record<string, { names: string[]; next: string | null }>) {
  const cursors: string[] = []
  const read = async ({ after = '' }: { after?: string }) => {
    cursors.push(after)
    return pages[after] ?? { names: [], next: null }
  }
  return { cursors, read }
}

test('every page is read once, and every name is listed once', async () => {
  const { cursors, read } = answering({
    '': { names: ['b', 'a'], next: '?t=x' },
    '?t=x': { names: ['a', 'c'], next: '?t=y' },
    '?t=y': { names: ['d'], next: null },
  })
  expect(await everyName(read)).toEqual({ names: ['a', 'b', 'c', 'd'], more: false })
  expect(cursors).toEqual(['', '?t=x', '?t=y'])
})

test.each([
  ['the same page again', { '': { names: ['a', 'b'], next: '' } }, 2],
  ['two pages in turn', { '': { names: ['a'], next: '1' }, '1': { names: ['b'], next: '' } }, 3],
  ['nothing for ever', { '': { names: ['a', 'b'], next: '1' }, '1': { names: [], next: '1' } }, 2],
])('a registry that answers %s is not read further, and there may be more names', async (_, pages, calls) => {
  const { cursors, read } = answering(pages)
  expect(await everyName(read)).toEqual({ names: ['a', 'b'], more: true })
  expect(cursors).toHaveLength(calls)
})

test('names are read up to the given number', async () => {
  const { cursors, read } = answering({ '': { names: ['a', 'b'], next: '1' }, '1': { names: ['c'], next: null } })
  expect(await everyName(read, 2)).toEqual({ names: ['a', 'b'], more: true })
  expect(cursors).toHaveLength(1)
})
