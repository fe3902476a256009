import { expect, test } from 'vitest'
import { leastScore, scorePassword } from './strength.ts'

test.each(['123456', 'password1', 'qwertyuiop', 'aaaaaaaaaa', 'abc123'])('%s is too weak', async (password) => {
  expect(await scorePassword(password, [])).toBeLessThan(leastScore)
})

test.each(['Tidal-Cobalt-41', 'x7Kq!9wZ2', 'correct horse'])('%s is strong enough', async (password) => {
  expect(await scorePassword(password, [])).toBeGreaterThanOrEqual(leastScore)
})

test("the user's own name makes a password weak", async () => {
  expect(await scorePassword('zebulon.quist', [])).toBeGreaterThanOrEqual(leastScore)
  expect(await scorePassword('zebulon.quist', ['zebulon.quist'])).toBeLessThan(leastScore)
})

test('concurrent questions get their own answers, in any order', async () => {
  const passwords = ['123456', 'Tidal-Cobalt-41', 'password1', 'x7Kq!9wZ2', 'aaaaaaaaaa']
  const scores = await Promise.all(passwords.map((password) => scorePassword(password, [])))
  expect(scores.map((score) => score >= leastScore)).toEqual([false, true, false, true, false])
})
