import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mask } from '@gantry/contract/validators'
import { keepSecret, keysOf, open, resealed, seal, maskSealed } from './secrets.ts'

const keys = keysOf(['an installation key of tests'])
const others = keysOf(['the key of another installation'])

test('a sealed text opens to the same text, and is sealed differently each time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const [one, two] = [seal({ keys }, text), seal({ keys }, text)]
      expect(open({ keys }, one)).toBe(text)
      expect(one).not.toBe(two)
    }),
  )
})

test('opening fails with another key, or if any character was changed', () => {
  const sealed = seal({ keys }, 'the password')
  expect(() => open({ keys: others }, sealed)).toThrow('GANTRY_SECRET_KEY')
  const parts = sealed.split('.')
  for (const at of [2, 3, 4]) {
    const changed = parts.with(
      at,
      (parts[at] ?? '').replace(/^./, (c) => (c === 'A' ? 'B' : 'A')),
    )
    expect(() => open({ keys }, changed.join('.'))).toThrow(/authenticate|tag/)
  }
  for (const nonsense of ['', 'sealed1', 'sealed2.a.b.c.d', 'plain text'])
    expect(() => open({ keys }, nonsense)).toThrow('GANTRY_SECRET_KEY')
})

test('after a rotation old secrets open and are resealed under the new key', () => {
  const sealed = seal({ keys }, 'the password')
  const rotated = keysOf(['a key that is new', 'an installation key of tests'])
  const again = resealed({ keys: rotated }, sealed)
  expect(open({ keys: rotated }, again ?? '')).toBe('the password')
  expect(open({ keys: keysOf(['a key that is new']) }, again ?? '')).toBe('the password')
  expect(resealed({ keys: rotated }, again ?? '')).toBeUndefined()
})

test('the mask keeps the stored secret only while the host is unchanged', () => {
  const stored = seal({ keys }, 'the password')
  expect(keepSecret({ keys }, mask, stored, true)).toBe(stored)
  expect(keepSecret({ keys }, mask, stored, false)).toBeNull()
  expect(keepSecret({ keys }, '', stored, true)).toBeNull()
  expect(open({ keys }, keepSecret({ keys }, 'another', stored, false) ?? '')).toBe('another')
  expect([maskSealed(stored), maskSealed(null)]).toEqual([mask, ''])
})
