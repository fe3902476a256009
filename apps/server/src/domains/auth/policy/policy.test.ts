import { policy } from '@gantry/contract/auth/policy'
import { session } from '@gantry/contract/auth/session'
import { teams } from '@gantry/contract/teams/teams'
import { users } from '@gantry/contract/users/users'
import { expect, test } from 'vitest'
import { newBrowser } from '../../../../test/browser.ts'
import { givePassword, goodPassword } from '../../../../test/password.ts'
import { testApp } from '../../../../test/test-app.ts'
import { openLogin } from '../public.ts'

const onlyDomains = ['auth', 'users', 'teams']
const app = await testApp({ onlyDomains })
const replica = await testApp({ onlyDomains, beside: app })
const team = await app.team()

async function member({ days = 0 } = {}) {
  const one = await team.member()
  await givePassword(app, one.id)
  const since = new Date(Date.now() - days * 86_400_000)
  await app.db.updateTable('account').set({ password_changed_at: since }).where('id', '=', one.id).execute()
  return one
}
const set = (passwordDays: number, retries: number) => app.admin.call(policy.set, { body: { passwordDays, retries } })
const signIn = async (username: string, password = goodPassword, on = app) => {
  const browser = newBrowser()
  const reply = await browser.logIn(on, username, password)
  return { headers: browser.shown(), ...session.login.data.parse(reply.json().data) }
}
const statusOf = async (id: number) =>
  (await app.db.selectFrom('account').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status

test('by default passwords are valid for 180 days and three wrong ones are allowed', async () => {
  await expect(app.admin.call(policy.get)).resolves.toMatchObject({ passwordDays: 180, retries: 3 })
})

test('only an administrator sets the policy, and only within its limits', async () => {
  const one = await member()
  await expect(one.call(policy.get)).rejects.toMatchObject({ status: 403 })
  await expect(one.call(policy.set, { body: { passwordDays: 30, retries: 3 } })).rejects.toMatchObject({ status: 403 })
  for (const [days, retries, key] of [
    [6, 3, 'password-days'],
    [731, 3, 'password-days'],
    [30.5, 3, 'password-days'],
    [30, 2, 'login-retries'],
    [30, 11, 'login-retries'],
  ] as const)
    await expect(set(days, retries)).rejects.toMatchObject({ status: 400, key })
  await expect(app.admin.call(policy.get)).resolves.toMatchObject({ passwordDays: 180, retries: 3 })
})

test('the old and the new policy are in the audit log', async () => {
  await set(90, 4)
  await set(180, 3)
  const row = await app.db
    .selectFrom('audit_log')
    .select(['actor_id', 'detail'])
    .where('action', '=', 'login-policy.update')
    .where('status', '=', 200)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(row).toEqual({
    actor_id: app.admin.id,
    detail: { before: { passwordDays: 90, retries: 4 }, after: { passwordDays: 180, retries: 3 } },
  })
})

test('a new limit of wrong passwords applies on every replica at once', async () => {
  const one = await member()
  await set(180, 5)
  for (let wrong = 1; wrong <= 5; wrong++) {
    const on = wrong % 2 === 0 ? app : replica
    await on.anonymous.call(session.login, { body: { username: one.name, password: 'wrong' } }).catch(() => undefined)
    expect(await statusOf(one.id)).toBe('normal')
  }
  await replica.anonymous
    .call(session.login, { body: { username: one.name, password: 'wrong' } })
    .catch(() => undefined)
  expect(await statusOf(one.id)).toBe('locked')
  await set(180, 3)
})

test('an expired password opens a session that can only change it', async () => {
  await set(30, 3)
  const one = await member({ days: 31 })
  const before = await one.call(users.get, { params: { id: one.id } })
  const { token, headers, ...data } = await signIn(one.name, goodPassword, replica)
  expect(data).toMatchObject({ newlyBuilt: true, passwordExpired: true })

  const gated = app.caller(one, token)
  for (const call of [
    () => gated.call(teams.list),
    () => gated.call(session.sessions),
    () => gated.call(session.ticket, { body: { method: 'GET', path: '/msghub/api/ws_notify' } }),
    () => gated.call(users.update, { params: { id: one.id }, body: { nickname: 'other' } }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 403, key: 'initial-password-first' })
  await expect(gated.call(users.get, { params: { id: one.id } })).resolves.toMatchObject({ id: before.id })
  // a new tab does not bypass it
  await expect(app.anonymous.call(session.refresh, {}, headers)).resolves.toMatchObject({
    newlyBuilt: true,
    passwordExpired: true,
  })

  const body = { oldPassword: goodPassword, password: 'Silent-Maple-92', rePassword: 'Silent-Maple-92' }
  await gated.call(users.update, { params: { id: one.id }, body })
  await expect(gated.call(users.get, { params: { id: one.id } })).rejects.toMatchObject({ status: 401 })
  expect(await signIn(one.name, 'Silent-Maple-92')).toMatchObject({ newlyBuilt: false, passwordExpired: false })
  await set(180, 3)
})

test('existing sessions continue, and a younger password is valid', async () => {
  await set(30, 3)
  const [old, young] = [await member({ days: 31 }), await member({ days: 29 })]
  await expect(old.call(users.get, { params: { id: old.id } })).resolves.toMatchObject({ id: old.id })
  expect(await signIn(young.name)).toMatchObject({ newlyBuilt: false, passwordExpired: false })
  await set(180, 3)
  expect(await signIn(old.name)).toMatchObject({ newlyBuilt: false, passwordExpired: false })
})

test('an initial password is reported as such, however old', async () => {
  const one = await member({ days: 400 })
  await app.db.updateTable('account').set({ newly_built: true }).where('id', '=', one.id).execute()
  expect(await signIn(one.name)).toMatchObject({ newlyBuilt: true, passwordExpired: false })
})

test('the password of a directory is exempt from the policy', async () => {
  const one = await member({ days: 400 })
  await app.db.updateTable('account').set({ type: 'LDAP', password_hash: null }).where('id', '=', one.id).execute()
  await expect(openLogin(app.ctx(), one.id, { passwordHash: null, browser: undefined })).resolves.toMatchObject({
    session: { newlyBuilt: false, passwordExpired: false },
  })
})
