import { expect, test } from 'vitest'
import { everyName } from './every-name.ts'

/** A registry that answers these pages, by their cursor; the first has none. */
function answering(pages: Record<string, { names: string[]; next: string | null }>) {
  const asked: string[] = []
  const read = async ({ after = '' }: { after?: string }) => {
    asked.push(after)
    return pages[after] ?? { names: [], next: null }
  }
  return { asked, read }
}

test('every page is read once, and a name is listed once', async () => {
  const { asked, read } = answering({
    '': { names: ['b', 'a'], next: '?t=x' },
    '?t=x': { names: ['a', 'c'], next: '?t=y' },
    '?t=y': { names: ['d'], next: null },
  })
  expect(await everyName(read)).toEqual({ names: ['a', 'b', 'c', 'd'], more: false })
  expect(asked).toEqual(['', '?t=x', '?t=y'])
})

test.each([
  ['the same page again', { '': { names: ['a', 'b'], next: '' } }, 2],
  ['two pages in turn', { '': { names: ['a'], next: '1' }, '1': { names: ['b'], next: '' } }, 3],
  ['nothing for ever', { '': { names: ['a', 'b'], next: '1' }, '1': { names: [], next: '1' } }, 2],
])('a registry that answers %s is left, and there may be more', async (_, pages, calls) => {
  const { asked, read } = answering(pages)
  expect(await everyName(read)).toEqual({ names: ['a', 'b'], more: true })
  expect(asked).toHaveLength(calls)
})

test('names are read up to so many', async () => {
  const { asked, read } = answering({ '': { names: ['a', 'b'], next: '1' }, '1': { names: ['c'], next: null } })
  expect(await everyName(read, 2)).toEqual({ names: ['a', 'b'], more: true })
  expect(asked).toHaveLength(1)
})
