import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineSearch } from './line-search.ts'

/** The numbers of the lines that are found when the text is cut at these places. */
function found(text: string, needle: string, places: readonly number[] = []): number[] {
  const bytes = Buffer.from(text)
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  const search = lineSearch(needle, 1000)
  const hits = at.slice(1).flatMap((end, i) => search.push(bytes.subarray(at[i], end)))
  return [...hits, ...search.end()].map(({ n }) => n)
}

test('any text, cut anywhere, yields what a plain scan of its lines finds', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'é', '错', ' ') })
  fc.assert(
    fc.property(fc.array(line), fc.stringMatching(/^[abAé错]{1,2}$/u), fc.array(fc.nat()), (lines, needle, places) => {
      const wanted = lines.flatMap((each, n) => (each.toLowerCase().includes(needle.toLowerCase()) ? [n] : []))
      expect(found(lines.join('\n'), needle, places)).toEqual(wanted)
    }),
  )
})

test('colours within a word do not hide it', () => {
  expect(found('\u001b[31mer\u001b[0;1mror\u001b[0m: no\nfine\n', 'Error: no')).toEqual([0])
})
