import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineSearch } from './line-search.ts'

/** The numbers of the lines that are found if the text is given in pieces that end after these lines. */
function found(text: string, needle: string, places: readonly number[] = []): number[] {
  const search = lineSearch(needle)
  const pieces = text.split(/(?<=\n)/)
  const at = [0, ...places.map((place) => place % (pieces.length + 1)).toSorted((a, b) => a - b), pieces.length]
  return at.slice(1).flatMap((end, i) => search(Buffer.from(pieces.slice(at[i], end).join(''))).map(({ n }) => n))
}

test('finds the same lines as a plain scan, for any lines in any pieces', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'é', '错', ' ') })
  fc.assert(
    fc.property(fc.array(line), fc.stringMatching(/^[abAé错]{1,2}$/u), fc.array(fc.nat()), (lines, needle, places) => {
      const wanted = lines.flatMap((each, n) => (each.toLowerCase().includes(needle.toLowerCase()) ? [n] : []))
      expect(found(lines.join('\n'), needle, places)).toEqual(wanted)
    }),
  )
})

test('finds a word with colours within it', () => {
  expect(found('\u001b[31mer\u001b[0;1mror\u001b[0m: no\nfine\n', 'Error: no')).toEqual([0])
})
