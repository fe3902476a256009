import fc from 'fast-check'
import { expect, test } from 'vitest'
import { issueKeysIn, maxKeys } from './keys.ts'

const projects = new Set(['SHOP', 'A1', 'MY_APP'])

test.each([
  ['SHOP-1: a fix', ['SHOP-1']],
  ['feature/SHOP-12-new-basket', ['SHOP-12']],
  ['[MY_APP-3] and (A1-4), SHOP-1.', ['MY_APP-3', 'A1-4', 'SHOP-1']],
  ['feature_SHOP-7', ['SHOP-7']],
  ['SHOP-1 SHOP-2 SHOP-1', ['SHOP-1', 'SHOP-2']],
  ['UTF-8, XSHOP-1, shop-1, SHOP-1a, SHOP-0, SHOP-01, SHOP-1_2', []],
  ['', []],
])('%s', (text, keys) => expect(issueKeysIn(text, projects)).toEqual(keys))

const project = fc.stringMatching(/^[A-Z][A-Z0-9_]{1,6}$/)
const number = fc.integer({ min: 1, max: 999_999_999 })
const between = fc.stringMatching(/^[ \n/:,.()#]{1,4}[a-z ]{0,5}[ /]$/)

test('finds every key once and in order, whatever is between them', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(project, number, between), { maxLength: maxKeys }), (named) => {
      const keys = named.map(([name, count]) => `${name}-${count}`)
      const text = named.map(([, , before], index) => `${before}${keys[index]}`).join('')
      const known = new Set(named.map(([name]) => name))
      expect(issueKeysIn(text, known)).toEqual([...new Set(keys)])
    }),
  )
})

test('finds only keys of known projects that are in the text, up to the limit, in any text', () => {
  const pieces = fc.array(fc.constantFrom('SHOP', 'A', 'Z9', '-', '_', '1', '0', 'a', ' '), { maxLength: 100 })
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    pieces.map((some) => some.join('')),
  )
  const names = fc.uniqueArray(fc.oneof(project, fc.constantFrom('SHOP', 'A', 'Z9')))
  fc.assert(
    fc.property(text, names, (given, known) => {
      const keys = issueKeysIn(given, new Set(known))
      expect(keys.length).toBeLessThanOrEqual(maxKeys)
      for (const key of keys) {
        expect(given).toContain(key)
        expect(known).toContain(key.slice(0, key.lastIndexOf('-')))
      }
    }),
  )
})
