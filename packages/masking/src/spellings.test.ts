import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { base64Cores, linesOf, piecesOf, spellings } from './spellings.ts'

test.each([
  ['p@ss word/100%!', 'encodeURIComponent', 'p%40ss%20word%2F100%25!'],
  ['p@ss word/100%!', 'every reserved character', 'p%40ss%20word%2F100%25%21'],
  ['p@ss word/100%!', 'in lower case', 'p%40ss%20word%2f100%25%21'],
  ['p@ss word/100%!', 'a form', 'p%40ss+word%2F100%25%21'],
  ['p@ss word/100%!', 'a whole address', 'p@ss%20word/100%25!'],
  ['say "hi"\\now', 'JSON', 'say \\"hi\\"\\\\now'],
  ['half \ud83d', 'half a character', 'half%20%EF%BF%BD'],
])('%j is also spelt as %s', (text, _, spelt) => {
  expect(spellings(text)).toContain(spelt)
})

test('each spelling occurs once, and never the unchanged text', () => {
  expect(spellings('plain-token_123')).toEqual([])
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      const all = spellings(text)
      expect(new Set(all).size).toBe(all.length)
      expect(all).not.toContain(text)
    }),
  )
})

test('whatever surrounds a secret, its base64 contains one of the cores', () => {
  const bytes = fc.uint8Array({ maxLength: 40 })
  fc.assert(
    fc.property(bytes, fc.uint8Array({ minLength: 4, maxLength: 40 }), bytes, (before, secret, after) => {
      const cores = base64Cores(Buffer.from(secret))
      expect(Math.min(...cores.map((core) => core.length))).toBeGreaterThanOrEqual(
        Math.floor((secret.length * 8) / 6) - 2,
      )
      for (const alphabet of ['base64', 'base64url'] as const) {
        const encoded = Buffer.concat([before, secret, after]).toString(alphabet)
        expect(cores.some((core) => encoded.includes(core))).toBe(true)
      }
    }),
  )
})

test('lines end as on every system, and lose their indentation', () => {
  expect(linesOf('a\r\n  b\rc\n')).toEqual(['a', 'b', 'c', ''])
})

test('pieces are adjacent and cover the text, all of full length if it is long enough', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 64 }), (length, longest) => {
      const pieces = [...piecesOf(length, longest)]
      expect(pieces).toHaveLength(Math.ceil(length / longest))
      expect([pieces[0]?.[0], pieces.at(-1)?.[1]]).toEqual([0, length])
      for (const [at, [from, to]] of pieces.entries()) {
        expect(to - from).toBe(Math.min(length, longest))
        if (at > 0) expect(from).toBeLessThanOrEqual(pieces[at - 1]?.[1] ?? -1)
      }
    }),
  )
})
