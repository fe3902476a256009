import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addQuantities, canonicalQuantity, formatQuantity, parseQuantity } from './quantity.ts'

test.each([
  ['0.5', '500m'],
  ['1000m', '1'],
  ['1', '1'],
  ['1000', '1k'],
  ['1.5Gi', '1536Mi'],
  ['1024Mi', '1Gi'],
  ['512', '512'],
  ['0.1Ki', '102400m'],
  ['1e3', '1k'],
  ['12e6', '12M'],
  ['100n', '1m'],
  ['-1', '-1'],
  ['.5', '500m'],
  ['0', '0'],
  ['0Mi', '0'],
  ['1Ei', '1Ei'],
])('%s is %s', (text, canonical) => {
  expect(canonicalQuantity(text)).toBe(canonical)
})

test.each(['', 'x', '1 Gi', '1GiB', '1,5', '--1', '1e', '0x1'])('%j is not a quantity', (text) => {
  expect(parseQuantity(text)).toBeUndefined()
})

test('the canonical form has the same value and is its own canonical form', () => {
  const suffix = fc.constantFrom('', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi')
  fc.assert(
    fc.property(fc.nat(5000), fc.option(fc.nat(999), { nil: undefined }), suffix, (whole, part, unit) => {
      const text = `${whole}${part === undefined ? '' : `.${part}`}${unit}`
      const canonical = canonicalQuantity(text)
      expect(parseQuantity(canonical)?.milli).toBe(parseQuantity(text)?.milli)
      expect(canonicalQuantity(canonical)).toBe(canonical)
    }),
  )
})

test('a sum has the format of its first part', () => {
  const sum = (a: string, b: string): string => {
    const [left, right] = [parseQuantity(a), parseQuantity(b)]
    return left && right ? formatQuantity(addQuantities(left, right)) : ''
  }
  expect([sum('64Mi', '64Mi'), sum('0', '1Gi'), sum('300m', '0.2'), sum('1Gi', '1000')]).toEqual([
    '128Mi',
    '1Gi',
    '500m',
    '1073742824',
  ])
})
