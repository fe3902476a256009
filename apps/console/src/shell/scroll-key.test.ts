import { expect, test } from 'vitest'
import { scrollKeys } from './scroll-key.ts'

const at = (pathname: string, key: string) => ({ pathname, state: { __TSR_key: key } })

test('a changed query is the same visit, another screen a new one, and going back finds the old one', () => {
  const keyOf = scrollKeys()
  const list = keyOf(at('/apps', '1'))
  expect(keyOf(at('/apps', '2'))).toBe(list)
  const one = keyOf(at('/apps/1', '3'))
  expect(one).not.toBe(list)
  expect(keyOf(at('/apps', '2'))).toBe(list)
  expect(keyOf(at('/apps/1', '4'))).not.toBe(one)
  expect(keyOf(at('/apps/1', '3'))).toBe(one)
})
