import { session } from '@gantry/contract/auth/session'
import { users } from '@gantry/contract/users/users'
import { beforeEach, expect, test } from 'vitest'
import type { z } from 'zod'
import { goodPassword, givePassword } from '../../../../test/password.ts'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'

const app = await testApp({ onlyDomains: ['auth', 'users', 'teams'] })
const [teamA, teamB] = [await app.team(), await app.team()]
beforeEach(() => app.db.deleteFrom('rate_counter').execute())

const login = (username: string, password: string) =>
  app.anonymous.call(session.login, { body: { username, password } })

const newName = (() => {
  let made = 0
  return () => `made-${++made}`
})()
const create = (given: Partial<{ userName: string; nickname: string; email: string; admin: boolean }> = {}) => {
  const userName = given.userName ?? newName()
  return app.admin.call(users.create, {
    body: { userName, nickname: 'Somebody', email: `${userName}@x.test`.slice(-30), ...given },
  })
}

async function member() {
  const one = await teamA.member()
  await givePassword(app, one.id)
  return one
}

test('a created user logs in with the initial password, which was returned once, and must change it', async () => {
  const made = await create({ userName: 'Newcomer' })
  expect(made).toMatchObject({ userName: 'Newcomer', state: 'normal', type: 'IDENTITY', admin: false, teams: [] })
  await app.db.insertInto('team_member').values({ team_id: teamA.id, account_id: made.id }).execute()
  await expect(login('newcomer', made.initialPassword)).resolves.toMatchObject({ newlyBuilt: true })
  const again = await app.admin.request(users.get, { params: { id: made.id } })
  expect(again.body).not.toContain(made.initialPassword)
})

test('a name or address is unique in any case, even among concurrent calls', async () => {
  await create({ userName: 'Taken', email: 'taken@x.test' })
  await expect(create({ userName: 'TAKEN' })).rejects.toMatchObject({ status: 409, key: 'user-name-taken' })
  await expect(create({ email: 'Taken@X.test' })).rejects.toMatchObject({ status: 409, key: 'user-email-taken' })
  const both = await Promise.allSettled([create({ userName: 'twin' }), create({ userName: 'Twin' })])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test.for([
  ['a', 'user-name-format'],
  ['-rf', 'user-name-format'],
  ['a b', 'user-name-format'],
  ['管理员', 'user-name-format'],
  ['x'.repeat(31), 'user-name-format'],
  ['an@address.test', 'user-name-format'],
] as const)('%s is no user name', async ([userName, key]) => {
  await expect(create({ userName, email: 'n@x.test' })).rejects.toMatchObject({ status: 400, key })
})

test('lists are paged, searched and sorted by name', async () => {
  for (const userName of ['list-b', 'list-C', 'list-a']) await create({ userName })
  const names = async (query: object) =>
    (await app.admin.call(users.list, { query: { keyword: 'LIST-', ...query } })).items.map((user) => user.userName)
  expect(await names({})).toEqual(['list-C', 'list-a', 'list-b'])
  expect(await names({ sort: '-userName' })).toEqual(['list-b', 'list-a', 'list-C'])
  expect(await names({ pageSize: 2, requestPage: 2, page: 'true' })).toEqual(['list-b'])
  expect(await names({ keyword: 'list_' })).toEqual([])
  await expect(names({ sort: 'password_hash' })).rejects.toMatchObject({ status: 400, key: 'field-one-of' })
  await expect(app.admin.call(users.list, { query: { pageSize: 1, keyword: 'list-' } })).resolves.toMatchObject({
    totalSize: 3,
    pageSize: 1,
    requestPage: 1,
  })
})

const change = (one: TestCaller, body: z.input<typeof users.update.body>) =>
  one.call(users.update, { params: { id: one.id }, body })
const passwords = (one: TestCaller, oldPassword: string | undefined, password: string, more: object = {}) =>
  change(one, {
    email: 'x@x.test',
    nickname: 'x',
    admin: true,
    id: 1,
    spaceName: 'theirs',
    password,
    rePassword: password,
    ...(oldPassword === undefined ? {} : { oldPassword }),
    ...more,
  })

test('the password change requires the current password', async () => {
  const one = await member()
  await expect(passwords(one, undefined, 'Silent-Maple-92')).rejects.toMatchObject({
    status: 400,
    key: 'valid-old-pwd',
  })
  await expect(passwords(one, '', 'Silent-Maple-92')).rejects.toMatchObject({ status: 400, key: 'valid-old-pwd' })
  for (let wrong = 1; wrong <= 3; wrong++)
    await expect(passwords(one, 'wrong', 'Silent-Maple-92')).rejects.toMatchObject({
      status: 400,
      key: 'password-old-wrong',
    })
  const row = app.db.selectFrom('account').select(['wrong_passwords', 'status']).where('id', '=', one.id)
  expect(await row.executeTakeFirst()).toEqual({ wrong_passwords: 3, status: 'normal' })
  await expect(passwords(one, 'wrong', 'Silent-Maple-92')).rejects.toMatchObject({ key: 'password-old-wrong' })
  expect(await row.executeTakeFirst()).toEqual({ wrong_passwords: 4, status: 'locked' })
  await expect(passwords(one, goodPassword, 'Silent-Maple-92')).rejects.toMatchObject({ status: 401 })
})

test.for([
  ['', 'valid-new-pwd'],
  ['aB3$x', 'valid-pwd-count'],
  ['Silent-Maple-92-Rustx', 'valid-pwd-count'],
  ['Tidal-密码-Cobalt', 'no-space-no-chinese'],
  ['Tidal Cobalt', 'no-space-no-chinese'],
  ['password1', 'valid-pwd-strenght'],
  ['123456', 'valid-pwd-strenght'],
  [goodPassword, 'password-same'],
] as const)('%s is refused as a new password', async ([password, key]) => {
  const one = await member()
  await expect(passwords(one, goodPassword, password)).rejects.toMatchObject({ status: 400, key })
  await expect(login(one.name, goodPassword)).resolves.toMatchObject({ id: one.id })
})

test('the two entries must match', async () => {
  const one = await member()
  await expect(
    passwords(one, goodPassword, 'Silent-Maple-92', { rePassword: 'Silent-Maple-93' }),
  ).rejects.toMatchObject({
    status: 400,
    key: 'valid-pwd-diff',
  })
})

test('the password change changes nothing else and ends every session', async () => {
  const one = await member()
  await app.db.updateTable('account').set({ newly_built: true }).where('id', '=', one.id).execute()
  const before = await one.call(users.get, { params: { id: one.id } })
  const { token } = await login(one.name, goodPassword)
  const other = app.caller(one, token)

  const after = await passwords(one, goodPassword, 'Silent-Maple-92')
  const still = { updatedAt: '', lastLoginAt: '' }
  expect({ ...after, ...still }).toEqual({ ...before, ...still })
  for (const caller of [one, other])
    await expect(caller.call(users.get, { params: { id: one.id } })).rejects.toMatchObject({ status: 401 })
  await expect(login(one.name, goodPassword)).rejects.toMatchObject({ key: 'login-refused' })
  await expect(login(one.name, 'Silent-Maple-92')).resolves.toMatchObject({ newlyBuilt: false, admin: false })
})

test('the event that closes open sockets is written in the transaction of the change', async () => {
  const one = await member()
  await passwords(one, goodPassword, 'Silent-Maple-92')
  const events = await app.db.selectFrom('outbox').select('content').where('topic', '=', 'access').execute()
  expect(events.map(({ content }) => content)).toContainEqual(
    expect.objectContaining({ table: 'session', accountId: one.id }),
  )
})

test('a profile accepts nickname and address, and nothing that would raise its owner', async () => {
  const one = await member()
  await expect(
    change(one, { nickname: '小明', email: 'ming@x.test', admin: true, id: app.admin.id, spaceName: 'theirs' }),
  ).resolves.toMatchObject({ id: one.id, nickname: '小明', email: 'ming@x.test', admin: false, userName: one.name })
  const published = await app.db.selectFrom('outbox').select('topic').where('topic', '=', `user/${one.id}`).execute()
  expect(published).toHaveLength(1)
  expect(
    await app.db.selectFrom('account').select(['space_name', 'type']).where('id', '=', one.id).executeTakeFirst(),
  ).toEqual({ space_name: '', type: 'IDENTITY' })
  const reply = await one.raw({
    method: 'PUT',
    url: `/api/users/${one.id}`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ nickname: 'xx', type: 'LDAP' }),
  })
  expect(reply.statusCode).toBe(400)
})

test('a nickname has 2 to 20 characters, and an emoji counts as one', async () => {
  const one = await member()
  for (const nickname of ['', '明', '😀'.repeat(21)])
    await expect(change(one, { nickname })).rejects.toMatchObject({ status: 400, key: 'nickname-length' })
  for (const nickname of ['小明', '😀'.repeat(20)])
    await expect(change(one, { nickname })).resolves.toMatchObject({ nickname })
})

test.for([
  'a@b',
  'no address',
  'a@b.c\r\nBcc: x@y.zz',
  'hidden\u202e@a.test',
  'half\ud83d@a.test',
  'x'.repeat(30) + '@a.test',
])('the address %j is refused', async (email) => {
  const one = await member()
  await expect(change(one, { email })).rejects.toMatchObject({ status: 400 })
})

test('other users cannot be changed: strangers do not exist, and team mates and administrators are refused', async () => {
  const dev = await teamA.member()
  const mate = await teamA.member()
  const stranger = await teamB.member()
  for (const caller of [dev, teamA.leader]) {
    const attempt = async (id: number) => {
      const reads = await caller.request(users.get, { params: { id } })
      const writes = await caller.request(users.update, { params: { id }, body: { nickname: 'mine' } })
      expect(writes.statusCode).toBe(reads.statusCode)
      return { status: reads.statusCode, body: reads.body }
    }
    const missing = await attempt(2_000_000_000)
    expect(missing.status).toBe(404)
    expect(await attempt(stranger.id)).toEqual(missing)
    expect((await attempt(mate.id)).status).toBe(403)
    expect((await attempt(app.admin.id)).status).toBe(403)
  }
  await expect(dev.call(users.list)).rejects.toMatchObject({
    status: 403,
    key: expect.stringMatching(/^permission-missing-system/) as string,
  })
  await expect(
    dev.call(users.create, { body: { userName: 'mine', nickname: 'mine', email: 'mine@x.test' } }),
  ).rejects.toMatchObject({ status: 403, key: 'admin-only' })
})

test('an administrator grants and removes the administrator’s right, but sets no password of another user', async () => {
  const one = await member()
  const set = (admin: boolean) => app.admin.call(users.update, { params: { id: one.id }, body: { admin } })
  await expect(set(true)).resolves.toMatchObject({ admin: true })
  await expect(set(false)).resolves.toMatchObject({ admin: false })
  await expect(
    app.admin.call(users.update, {
      params: { id: one.id },
      body: { password: 'Silent-Maple-92', oldPassword: goodPassword },
    }),
  ).rejects.toMatchObject({ status: 403, key: 'password-foreign' })
})

test('of two administrators who remove each other’s right concurrently one stays', async () => {
  const [one, other] = [await app.user({ admin: true }), await app.user({ admin: true })]
  await app.db.updateTable('account').set({ admin: false }).where('id', 'not in', [one.id, other.id]).execute()
  const unmake = (by: TestCaller, id: number) => by.call(users.update, { params: { id }, body: { admin: false } })
  const done = await Promise.allSettled([unmake(one, other.id), unmake(other, one.id)])
  expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const left = await app.db.selectFrom('account').select('id').where('admin', '=', true).execute()
  expect(left).toHaveLength(1)
  await app.db.updateTable('account').set({ admin: true }).where('id', '=', app.admin.id).execute()
})

test.for(['0', '-1', 'NaN', '1e309', '1;--', '../1', '%2e%2e%2f1', '1.5', '2147483648', 'x'.repeat(1_900)])(
  'the id %s is refused without a server error',
  async (id) => {
    const { statusCode } = await app.admin.raw({ method: 'GET', url: `/api/users/${encodeURIComponent(id)}` })
    expect([400, 404]).toContain(statusCode)
  },
)
