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
  ['p@ss word/100%!', 'a form in lower case', 'p%40ss+word%2f100%25%21'],
  ['p@ss word/100%!', 'an address without slashes', 'p%40ss%20word/100%25%21'],
  ['p@ss*word~', 'a form of Java', 'p%40ss*word%7E'],
  ['pass-wörd/1', 'JSON in ASCII', 'pass-w\\u00f6rd/1'],
  ['pass-wörd/1', 'JSON in ASCII, upper case', 'pass-w\\u00F6rd/1'],
  ['pass-word/1', 'JSON of PHP', 'pass-word\\/1'],
  ['pass<word>&1', 'JSON for HTML', 'pass\\u003cword\\u003e\\u00261'],
  ["pa'ss-word1", 'a trace of bash', "pa'\\''ss-word1"],
  ["pa'ss-word1", 'a variable of dash', `pa'"'"'ss-word1`],
  ["pa''ss-word1'", 'a variable of dash, two quotes and one at the end', `pa'"''"'ss-word1'"'"`],
  ["pa'ss w(rd)1,~", 'printf %q', "pa\\'ss\\ w\\(rd\\)1\\,~"],
  ["pa'ss\tw\\rd\x01\x1b", 'a dollar quote', "pa\\'ss\\tw\\\\rd\\001\\E"],
  ["pa'ss-wörd", 'a dollar quote of the C locale', "pa\\'ss-w\\303\\266rd"],
  ['pa"ss$w`rd\\1', 'declare -p', 'pa\\"ss\\$w\\`rd\\\\1'],
  ['pa\'ss"wörd\\1', 'repr', 'pa\\\'ss"wörd\\\\1'],
  ["pa'ss\twörd", 'repr with double quotes', "pa'ss\\twörd"],
  ["pa'ss-wörd", 'repr of bytes', "pa'ss-w\\xc3\\xb6rd"],
  ['pass-wörd🙂\x7f', 'ascii', 'pass-w\\xf6rd\\U0001f642\\x7f'],
  ['half \ud83d', 'half a character', 'half%20%EF%BF%BD'],
])('%j has the spelling %s', (text, _, spelt) => {
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

test('the base64 of any text that contains a secret contains one of its cores', () => {
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

test('splits lines at the line ends of every system, and removes their indentation', () => {
  expect(linesOf('a\r\n  b\rc\n')).toEqual(['a', 'b', 'c', ''])
})

test('pieces are adjacent and cover the text, all of full length if the text is long enough', () => {
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
