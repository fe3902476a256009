import { describe, expect, test } from 'vitest'
import { samples, sampleCalls } from '../../test/samples.ts'
import { testApp } from '../../test/test-app.ts'
import { anonymous, type Caller } from '../identity/sessions.ts'
import { callerCounter, callLimiter } from './limits.ts'

describe('one caller', () => {
  test('may send a burst, then as many calls a second as its allowance refills', () => {
    let now = 0
    const { call: limit } = callLimiter(() => now)
    const visitor = { id: 0, ip: '192.0.2.1' }
    const allowed = () => {
      for (let n = 0; ; n++) {
        try {
          limit(visitor)
        } catch {
          return n
        }
      }
    }
    expect(allowed()).toBe(120)
    now += 1_000
    expect(allowed()).toBe(10)
    now += 3_600_000
    expect(allowed()).toBe(120)
  })

  test('uses up nothing of another caller’s allowance', () => {
    const { call: limit } = callLimiter(() => 0)
    for (let n = 0; n < 120; n++) limit({ id: 0, ip: '192.0.2.1' })
    expect(() => limit({ id: 0, ip: '192.0.2.1' })).toThrow('rate-limited')
    expect(() => limit({ id: 0, ip: '192.0.2.2' })).not.toThrow()
    expect(() => limit({ id: 5, ip: '192.0.2.1' })).not.toThrow()
  })
})

test('pays for a large body as for many calls, and nothing for a small one', () => {
  let now = 0
  const limit = callLimiter(() => now)
  const user = { id: 5, ip: '192.0.2.1' }
  for (let n = 0; n < 1_000; n++) limit.body(user, 8_000)
  limit.call(user)
  limit.body(user, 4 * 1024 * 1024)
  expect(() => limit.call(user)).toThrow('rate-limited')
  expect(() => limit.call({ id: 6, ip: '192.0.2.1' })).not.toThrow()
  // 512 calls were charged against a burst of 400; 60 a second come back
  now += 2_000
  expect(() => limit.call(user)).not.toThrow()
})

test('pays for a body before it is processed, whether it is accepted or refused', async () => {
  const app = await testApp({ onlyDomains: [], more: sampleCalls, config: { rateLimit: true } })
  const things = [{ name: 'x'.repeat(900_000), parts: [] }]
  const large = () => app.admin.request(samples.lists, { body: { things } })
  const answers = [await large(), await large(), await large(), await large(), await large()]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400, 429])
})

test('an IPv6 network counts as one address, and an IPv4 address counts the same in IPv6 notation', () => {
  const { call: limit } = callLimiter(() => 0)
  for (let n = 0; n < 120; n++) limit({ id: 0, ip: `2001:db8::${n.toString(16)}` })
  expect(() => limit({ id: 0, ip: '2001:db8::ffff' })).toThrow('rate-limited')
  expect(() => limit({ id: 0, ip: '2001:db8:0:1::1' })).not.toThrow()
  for (let n = 0; n < 120; n++) limit({ id: 0, ip: '192.0.2.1' })
  expect(() => limit({ id: 0, ip: '::ffff:192.0.2.1' })).toThrow('rate-limited')
})

describe('an address with too many refused tokens', () => {
  const ip = '192.0.2.1'
  const user: Caller = { actor: { kind: 'user', id: 7, name: 'a', admin: false }, newlyBuilt: false }
  const found = (caller: Caller) => {
    let lookups = 0
    const find = async () => {
      lookups += 1
      return caller
    }
    return { find, lookups: () => lookups }
  }
  const flood = async (count: ReturnType<typeof callerCounter>, showsToken: boolean, find: () => Promise<Caller>) => {
    for (let n = 0; n < 2_000; n++) await count(ip, showsToken, find).catch(() => undefined)
  }

  test('causes no more database lookups of tokens', async () => {
    let now = 0
    const count = callerCounter(
      callLimiter(() => now),
      () => now,
    )
    const { find, lookups } = found(anonymous)
    await flood(count, true, find)
    expect(lookups()).toBe(720)
    await expect(count(ip, true, find)).rejects.toThrow('rate-limited')
    expect(lookups()).toBe(720)
    await expect(count('192.0.2.2', true, found(user).find)).resolves.toBe(user)
    now += 1_000
    await expect(count(ip, true, found(user).find)).resolves.toBe(user)
  })

  test('excludes an address that many users share, and one whose visitors show no token', async () => {
    const count = callerCounter({ call: () => undefined }, () => 0)
    const { find, lookups } = found(user)
    await flood(count, true, find)
    expect(lookups()).toBe(2_000)
    const limited = callerCounter(
      callLimiter(() => 0),
      () => 0,
    )
    await flood(limited, false, found(anonymous).find)
    await expect(limited(ip, true, find)).resolves.toBe(user)
  })

  test('excludes an address where one user exceeds their own allowance', async () => {
    const count = callerCounter(
      callLimiter(() => 0),
      () => 0,
    )
    await flood(count, true, found(user).find)
    await expect(count(ip, true, found(user).find)).rejects.toMatchObject({ key: 'rate-limited' })
    const neighbour = { ...user, actor: { ...user.actor, id: user.actor.id + 1 } }
    await expect(count(ip, true, found(neighbour).find)).resolves.toBe(neighbour)
  })
})

test('a visitor who rotates X-Forwarded-For counts as one address', async () => {
  const app = await testApp({ onlyDomains: [], more: sampleCalls, config: { rateLimit: true } })
  const ask = (n: number) => app.anonymous.request(samples.bodiless, {}, { 'x-forwarded-for': `203.0.113.${n % 256}` })
  let refused = await ask(0)
  for (let n = 1; refused.statusCode === 200 && n < 5_000; n++) refused = await ask(n)
  expect([refused.statusCode, refused.json().message]).toEqual([429, 'rate-limited'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await app.admin.request(samples.whoami)).statusCode).toBe(200)
})
