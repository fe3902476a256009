import { expect, test } from 'vitest'
import { hashPassword, hasHash } from './password.ts'

test('a password is stored as argon2id with 19 MiB, 2 passes and 1 lane, salted', async () => {
  const [one, other] = await Promise.all([hashPassword('Correct-horse-7'), hashPassword('Correct-horse-7')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(other)
  expect(await hasHash('Correct-horse-7', one)).toBe(true)
  expect(await hasHash('correct-horse-7', one)).toBe(false)
})

test('no password matches a user without a hash', async () => {
  expect(await hasHash('', null)).toBe(false)
  expect(await hasHash('anything', null)).toBe(false)
})

test('two hashes run, a hundred wait, the next is refused at once, and the queue drains', async () => {
  const stored = await hashPassword('x')
  const accepted = Array.from({ length: 102 }, () => hasHash('x', stored))
  await expect(hasHash('x', stored)).rejects.toMatchObject({ kind: 'tooMany', key: 'login-busy' })
  expect((await Promise.all(accepted)).every(Boolean)).toBe(true)
  await expect(hasHash('x', stored)).resolves.toBe(true)
})
