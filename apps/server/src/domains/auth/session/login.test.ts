import * as argon2 from '@node-rs/argon2'
import { session } from '@gantry/contract/auth/session'
import { users } from '@gantry/contract/users/users'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { givePassword, goodPassword } from '../../../../test/password.ts'
import { testApp } from '../../../../test/test-app.ts'
import { jobs } from '../bans/bans.module.ts'
import { unbanUser } from '../public.ts'

vi.mock('@node-rs/argon2', { spy: true })
beforeEach(() => void vi.mocked(argon2.verify).mockClear())
const hashes = () => vi.mocked(argon2.verify).mock.calls.length

const app = await testApp({ onlyDomains: ['auth', 'users', 'teams'] })
const team = await app.team()

async function member() {
  const one = await team.member()
  await givePassword(app, one.id)
  return one
}
type Change = Partial<{
  status: 'unapproved' | 'disabled' | 'locked' | 'inactive'
  wrong_passwords: number
  active_since: Date
}>
const change = (id: number, to: Change) => app.db.updateTable('account').set(to).where('id', '=', id).execute()
const stored = (id: number) =>
  app.db
    .selectFrom('account')
    .select(['status', 'wrong_passwords', 'last_login_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const login = (username: string, password = goodPassword, type?: 'LDAP' | 'OAUTH') =>
  app.anonymous.call(session.login, { body: { username, password, ...(type ? { type } : {}) } })
const clearAddresses = () => app.db.deleteFrom('rate_counter').execute()
const longAgo = () => new Date(Date.now() - 91 * 86_400_000)

test('a user signs in by name or e-mail address in either case, and the token is theirs', async () => {
  const one = await member()
  for (const name of [one.name, one.name.toUpperCase(), `${one.name}@Example.Test`, ` ${one.name} `]) {
    const { token, ...who } = await login(name)
    expect(who).toMatchObject({ id: one.id, userName: one.name, newlyBuilt: false, admin: false, type: 'IDENTITY' })
    expect(who.teams).toEqual([{ id: team.id, name: team.name, roleName: `role-${one.id}`, teamLeader: false }])
    await expect(app.caller(one, token).call(users.get, { params: { id: one.id } })).resolves.toMatchObject({
      id: one.id,
    })
  }
})

test('a login resets the count of wrong passwords', async () => {
  const one = await member()
  for (let round = 0; round < 3; round++) {
    for (let wrong = 0; wrong < 3; wrong++)
      await expect(login(one.name, 'wrong')).rejects.toMatchObject({ key: 'login-refused' })
    await login(one.name)
  }
  expect(await stored(one.id)).toMatchObject({ status: 'normal', wrong_passwords: 0 })
})

test('an invalid name or password is refused before anything is hashed', async () => {
  const body = (value: unknown) => JSON.stringify({ username: 'admin', password: 'x', ...(value as object) })
  const hostile = [
    { username: { $ne: 1 } },
    { username: ['admin'] },
    { username: 1 },
    { password: { $gt: '' } },
    { password: ['x'] },
    { password: true },
    { password: 'x'.repeat(3_000) },
    { username: 'x'.repeat(3_000) },
    { username: 'admin\u0000' },
    { admin: true },
  ]
  const huge = [{ password: 'x'.repeat(1_000_000) }, { username: 'x'.repeat(1_000_000) }]
  for (const value of [...hostile, ...huge]) {
    const reply = await app.anonymous.raw({
      method: 'POST',
      url: session.login.path,
      headers: { 'content-type': 'application/json' },
      payload: body(value),
    })
    expect(reply.statusCode).toBe(huge.includes(value as (typeof huge)[number]) ? 413 : 400)
  }
  expect(hashes()).toBe(0)
})

test('an empty name or password asks for both', async () => {
  await expect(login('', 'x')).rejects.toMatchObject({ status: 400, key: 'input-userinfo' })
  await expect(login('admin', '')).rejects.toMatchObject({ status: 400, key: 'input-userinfo' })
})

test('a local name with another type never reaches the local account', async () => {
  const one = await member()
  for (const type of ['LDAP', 'OAUTH'] as const)
    await expect(login(one.name, goodPassword, type)).rejects.toMatchObject({ status: 400 })
  const sessions = await app.db.selectFrom('session').select('kind').where('account_id', '=', one.id).execute()
  expect(sessions).toHaveLength(1)
  expect(await stored(one.id)).toMatchObject({ wrong_passwords: 0, last_login_at: null })
})

test('50 concurrent wrong passwords are counted exactly, whatever address they claim; the command on the server unlocks the user', async () => {
  const one = await member()
  await clearAddresses()
  const tries = Array.from({ length: 50 }, (_, i) =>
    app.anonymous.request(
      session.login,
      { body: { username: one.name, password: `wrong ${i}` } },
      { 'x-forwarded-for': `203.0.113.${i}` },
    ),
  )
  expect(new Set((await Promise.all(tries)).map((reply) => reply.statusCode))).toEqual(new Set([400]))
  expect(await stored(one.id)).toMatchObject({ status: 'locked', wrong_passwords: 50 })
  const counters = await app.db.selectFrom('rate_counter').select(['key', 'hits']).execute()
  expect(counters).toEqual([{ key: 'login-failed:127.0.0.1', hits: 50 }])

  await expect(login(one.name)).rejects.toMatchObject({ key: 'login-locked' })
  await unbanUser(app.ctx(), one.name)
  await expect(login(one.name)).resolves.toMatchObject({ id: one.id })
})

test('the fourth wrong password locks, the third does not', async () => {
  const one = await member()
  for (let wrong = 1; wrong <= 3; wrong++) await login(one.name, 'wrong').catch(() => undefined)
  expect(await stored(one.id)).toMatchObject({ status: 'normal', wrong_passwords: 3 })
  await login(one.name, 'wrong').catch(() => undefined)
  expect(await stored(one.id)).toMatchObject({ status: 'locked', wrong_passwords: 4 })
})

test('an address with 100 failures is slowed to one try in 5 seconds, never banned', async () => {
  const one = await member()
  await clearAddresses()
  const inTenMinutes = new Date(Date.now() + 600_000)
  await app.db
    .insertInto('rate_counter')
    .values({ key: 'login-failed:127.0.0.1', hits: 99, expires_at: inTenMinutes })
    .execute()
  await expect(login('nobody-known')).rejects.toMatchObject({ key: 'login-refused' })
  await expect(login(one.name)).resolves.toMatchObject({ id: one.id })
  await expect(login(one.name)).rejects.toMatchObject({ status: 429, key: 'login-slowed' })
  expect(hashes()).toBe(2)
  await app.db.deleteFrom('rate_counter').where('key', '=', 'login-slowed:127.0.0.1').execute()
  await expect(login(one.name)).resolves.toMatchObject({ id: one.id })
  await clearAddresses()
})

describe('a refusal reveals nothing', async () => {
  const [known, disabled, locked, inactive] = [await member(), await member(), await member(), await member()]
  await change(disabled.id, { status: 'disabled' })
  await change(locked.id, { status: 'locked' })
  await change(inactive.id, { active_since: longAgo() })
  const waiting = await member()
  await change(waiting.id, { status: 'unapproved' })
  const noTeam = await app.user()
  await givePassword(app, noTeam.id)
  const noPassword = await team.member()

  const cases = [
    ['an unknown name', 'nobody-at-all'],
    ['an unknown address', 'nobody@example.test'],
    ['a wrong password', known.name],
    ['a disabled user', disabled.name],
    ['a locked user', locked.name],
    ['a user who was away for 91 days', inactive.name],
    ['a user who waits for approval', waiting.name],
    ['a user without a team', noTeam.name],
    ['a user without a password', noPassword.name],
  ]
  test.for(cases)('%s: one hash and one body', async ([, name = '']) => {
    const reply = await app.anonymous.request(session.login, { body: { username: name, password: 'wrong' } })
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toEqual({
      status: 0,
      data: null,
      code: 400,
      message: 'login-refused',
      errorMsg: expect.any(String),
    })
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect(hashes()).toBe(1)
  })

  const refusals = [
    ['disabled', disabled.name, 'login-disabled'],
    ['locked', locked.name, 'login-locked'],
    ['away for 91 days', inactive.name, 'login-inactive'],
    ['not approved yet', waiting.name, 'login-unapproved'],
    ['not a member of any team', noTeam.name, 'user-Unknown-team'],
  ]
  test.for(refusals)('only with the right password is a user told to be %s', async ([, name = '', key]) => {
    await expect(login(name)).rejects.toMatchObject({ status: 400, key })
    expect(hashes()).toBe(1)
  })

  test('a user without a login for too long is banned when they log in, and stays banned', async () => {
    expect(await stored(inactive.id)).toMatchObject({ status: 'inactive' })
    await unbanUser(app.ctx(), inactive.name)
    await expect(login(inactive.name)).resolves.toMatchObject({ id: inactive.id })
  })

  test('an administrator needs no team', async () => {
    const alone = await app.user({ admin: true })
    await givePassword(app, alone.id)
    await expect(login(alone.name)).resolves.toMatchObject({ teams: [] })
  })
})

test('the daily job bans users without a login for 90 days', async () => {
  const [away, here] = [await member(), await member()]
  await change(away.id, { active_since: longAgo() })
  await change(here.id, { active_since: longAgo() })
  await app.db.updateTable('account').set({ last_login_at: new Date() }).where('id', '=', here.id).execute()
  for (const job of jobs) await job.run(app.ctx(), {})
  expect((await stored(away.id)).status).toBe('inactive')
  expect((await stored(here.id)).status).toBe('normal')
})
