import { session } from '@gantry/contract/auth/session'
import { users } from '@gantry/contract/users/users'
import { beforeEach, expect, test } from 'vitest'
import type { z } from 'zod'
import { goodPassword } from '../../../../test/password.ts'
import { testApp } from '../../../../test/test-app.ts'
import { unban } from '../public.ts'

const onlyDomains = ['auth', 'users', 'teams']
const app = await testApp({ onlyDomains, config: { registration: true } })
const replica = await testApp({ onlyDomains, config: { registration: true }, beside: app })
const team = await app.team()
beforeEach(() => app.db.deleteFrom('rate_counter').execute())

let made = 0
type Wish = z.input<typeof session.register.body>
const wish = (more: Partial<Wish> = {}): Wish => {
  const userName = more.userName ?? `visitor-${++made}`
  return { userName, nickname: 'Visitor', email: `${userName}@x.test`, password: goodPassword, ...more }
}
const register = (more: Partial<Wish> = {}, on = app) => on.anonymous.call(session.register, { body: wish(more) })
const login = (username: string) => app.anonymous.call(session.login, { body: { username, password: goodPassword } })
const stored = (userName: string) =>
  app.db.selectFrom('account').selectAll().where('user_name', '=', userName).executeTakeFirst()
const idOf = async (userName: string) => (await stored(userName))?.id ?? 0

test('registration is off by default', async () => {
  const closed = await testApp({ onlyDomains: ['auth'] })
  await expect(closed.anonymous.call(session.options)).resolves.toMatchObject({ registration: false })
  await expect(closed.anonymous.call(session.register, { body: wish() })).rejects.toMatchObject({
    status: 403,
    key: 'register-off',
  })
})

test('registration creates a plain, unapproved user without a team', async () => {
  await expect(app.anonymous.call(session.options)).resolves.toMatchObject({ registration: true })
  await register({ userName: 'Grace', rePassword: goodPassword })
  expect(await stored('Grace')).toMatchObject({
    type: 'IDENTITY',
    subject: 'grace',
    status: 'unapproved',
    admin: false,
    newly_built: false,
    default_team_id: null,
  })
  const id = await idOf('Grace')
  await expect(login('grace')).rejects.toMatchObject({ status: 400, key: 'login-unapproved' })
  await expect(
    app.anonymous.call(session.login, { body: { username: 'grace', password: 'wrong' } }),
  ).rejects.toMatchObject({ status: 400, key: 'login-refused' })

  await unban(app.ctx(), id)
  await expect(login('grace')).rejects.toMatchObject({ status: 400, key: 'user-Unknown-team' })
  await app.db.insertInto('team_member').values({ team_id: team.id, account_id: id }).execute()
  await expect(login('grace')).resolves.toMatchObject({ id, admin: false, newlyBuilt: false })
})

test.for(['admin', 'teamLeader', 'teams', 'role', 'id', 'type', 'status', 'spaceName', 'newlyBuilt', '__proto__'])(
  '%s in the body is refused, and no account is created',
  async (field) => {
    const body = JSON.stringify(wish({ userName: 'sneaky' })).replace('{', `{"${field}":true,`)
    const reply = await app.anonymous.raw({
      method: 'POST',
      url: session.register.path,
      headers: { 'content-type': 'application/json' },
      payload: body,
    })
    expect(reply.statusCode).toBe(400)
    expect(await stored('sneaky')).toBeUndefined()
  },
)

test.for([
  [{ email: 'a@x.test\r\nBcc: b@x.test' }, 'email-format'],
  [{ email: 'a@x.test\n' }, 'email-format'],
  [{ email: `${'a'.repeat(30)}@x.test` }, 'email-length'],
  [{ userName: 'an@address.test', email: 'an@x.test' }, 'user-name-format'],
  [{ userName: 'admin\u0000', email: 'an@x.test' }, 'request-illegal-character'],
  [{ email: 'admin\u0000@x.test' }, 'request-illegal-character'],
  [{ nickname: 'x' }, 'nickname-length'],
  [{ nickname: 'abc\u202Ednim' }, 'text-hidden-characters'],
  [{ password: 'aB3!x' }, 'valid-pwd-count'],
  [{ password: 'password1' }, 'valid-pwd-strenght'],
  [{ password: 'visitor-pwd', userName: 'visitor-pwd' }, 'valid-pwd-strenght'],
  [{ password: '密码密码密码' }, 'no-space-no-chinese'],
  [{ rePassword: 'another-Password-1' }, 'valid-pwd-diff'],
] as const)('%j is refused', async ([more, key]) => {
  await expect(register(more)).rejects.toMatchObject({ status: 400, key })
})

test('a taken name or address is reported, in any case, also for two concurrent registrations', async () => {
  await register({ userName: 'taken', email: 'taken@x.test' })
  await expect(register({ userName: 'TAKEN' })).rejects.toMatchObject({ status: 409, key: 'user-name-taken' })
  await expect(register({ email: 'Taken@X.test' })).rejects.toMatchObject({ status: 409, key: 'user-email-taken' })
  const both = await Promise.allSettled([register({ userName: 'twin' }), register({ userName: 'Twin' }, replica)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('an address may register ten times an hour, over all replicas, and then waits', async () => {
  const tries = Array.from({ length: 40 }, (_, i) =>
    (i % 2 === 0 ? app : replica).anonymous.request(
      session.register,
      { body: wish({ password: 'password' }) },
      { 'x-forwarded-for': `203.0.113.${i}` },
    ),
  )
  const codes = (await Promise.all(tries)).map((reply) => reply.statusCode)
  expect(codes.filter((code) => code === 400)).toHaveLength(10)
  expect(codes.filter((code) => code === 429)).toHaveLength(30)
  const reply = await app.anonymous.request(session.register, { body: wish() })
  expect(reply.json()).toMatchObject({ message: 'register-slowed' })
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(3_000)
})

test('a flood does not fill the table: a thousand wait at most', async () => {
  await app.db
    .insertInto('account')
    .values(
      Array.from({ length: 1_000 }, (_, i) => ({
        subject: `flood-${i}`,
        user_name: `flood-${i}`,
        status: 'unapproved' as const,
      })),
    )
    .execute()
  await expect(register()).rejects.toMatchObject({ status: 429, key: 'register-full' })
  await app.db.deleteFrom('account').where('user_name', 'like', 'flood-%').execute()
  await expect(register()).resolves.toBeNull()
})

test('the list of users is updated', async () => {
  const events = () => app.db.selectFrom('outbox').select('content').where('topic', '=', 'users').execute()
  const before = await events()
  await register()
  expect((await events()).slice(before.length)).toEqual([{ content: {} }])
})

test('the audit row names the registered user, and contains no password', async () => {
  await register({ userName: 'audited' })
  const row = await app.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'user.register')
    .where('object', '=', 'audited')
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({ status: 200, actor_kind: 'anonymous' })
  expect(JSON.stringify(row)).not.toContain(goodPassword)
})

test('an unapproved user has no session: an earlier token is refused', async () => {
  await register({ userName: 'waiting' })
  const id = await idOf('waiting')
  const reply = await app.anonymous.request(session.login, { body: { username: 'waiting', password: goodPassword } })
  expect(reply.headers['set-cookie']).toBeUndefined()
  const sessions = await app.db.selectFrom('session').select('id').where('account_id', '=', id).execute()
  expect(sessions).toEqual([])
  await expect(app.admin.call(users.get, { params: { id } })).resolves.toMatchObject({ state: 'unapproved', teams: [] })
})
