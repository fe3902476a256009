import { session } from '@gantry/contract/auth/session'
import { users } from '@gantry/contract/users/users'
import { beforeEach, expect, test } from 'vitest'
import { goodPassword, givePassword } from '../../../../test/password.ts'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp({ onlyDomains: ['auth', 'users', 'teams'] })
const team = await app.team()
beforeEach(() => app.db.deleteFrom('rate_counter').execute())

type State = 'normal' | 'unapproved' | 'disabled' | 'locked' | 'inactive'
async function userIn(status: State) {
  const one = await team.member()
  await givePassword(app, one.id)
  await app.db
    .updateTable('account')
    .set({ status, wrong_passwords: status === 'locked' ? 4 : 0 })
    .where('id', '=', one.id)
    .execute()
  return one
}
const login = (username: string, password = goodPassword) =>
  app.anonymous.call(session.login, { body: { username, password } })
const stand = (id: number, enable: 'true' | 'false') =>
  app.admin.call(users.approve, { params: { id }, query: { enable } })
const renew = (id: number) => app.admin.call(users.resetPassword, { params: { id } })

test.for(['unapproved', 'disabled', 'locked', 'inactive'] as const)(
  'access is restored for %s users',
  async (status) => {
    const one = await userIn(status)
    await expect(login(one.name)).rejects.toMatchObject({ status: 400 })
    await expect(stand(one.id, 'true')).resolves.toMatchObject({ id: one.id, state: 'normal' })
    await expect(login(one.name)).resolves.toMatchObject({ id: one.id })
  },
)

test('a ban by hand ends the sessions and keeps the user out', async () => {
  const one = await userIn('normal')
  const { token } = await login(one.name)
  await expect(stand(one.id, 'false')).resolves.toMatchObject({ state: 'disabled' })
  await expect(app.caller(one, token).call(users.get, { params: { id: one.id } })).rejects.toMatchObject({
    status: 401,
  })
  await expect(login(one.name)).rejects.toMatchObject({ key: 'login-disabled' })
  await stand(one.id, 'true')
  await expect(app.caller(one, token).call(users.get, { params: { id: one.id } })).rejects.toMatchObject({
    status: 401,
  })
})

test('nobody bans themselves, nor gives themselves an initial password', async () => {
  await expect(stand(app.admin.id, 'false')).rejects.toMatchObject({ status: 409, key: 'user-ban-self' })
  await expect(renew(app.admin.id)).rejects.toMatchObject({ status: 409, key: 'user-reset-self' })
  await expect(stand(2_000_000_000, 'true')).rejects.toMatchObject({ status: 404 })
  await expect(stand(2_000_000_000, 'false')).rejects.toMatchObject({ status: 404 })
  await expect(renew(2_000_000_000)).rejects.toMatchObject({ status: 404 })
})

test('of two administrators who ban each other concurrently one stays', async () => {
  const [one, other] = [await app.user({ admin: true }), await app.user({ admin: true })]
  await app.db.updateTable('account').set({ admin: false }).where('id', 'not in', [one.id, other.id]).execute()
  const ban = (by: typeof one, id: number) => by.call(users.approve, { params: { id }, query: { enable: 'false' } })
  const done = await Promise.allSettled([ban(one, other.id), ban(other, one.id)])
  expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const working = await app.db
    .selectFrom('account')
    .select('id')
    .where('admin', '=', true)
    .where('status', '=', 'normal')
    .execute()
  expect(working).toHaveLength(1)
  await app.db.updateTable('account').set({ admin: true }).where('id', '=', app.admin.id).execute()
})

test.for([
  ['normal', 'normal'],
  ['locked', 'normal'],
  ['inactive', 'normal'],
  ['disabled', 'disabled'],
  ['unapproved', 'unapproved'],
] as const)('a new initial password for who is %s leaves them %s', async ([before, after]) => {
  const one = await userIn(before)
  const { initialPassword } = await renew(one.id)
  expect(initialPassword).toMatch(/^[A-Za-z0-9]{14}$/)
  await expect(one.call(users.get, { params: { id: one.id } })).rejects.toMatchObject({ status: 401 })
  await expect(login(one.name)).rejects.toMatchObject({ key: 'login-refused' })
  if (after === 'normal') await expect(login(one.name, initialPassword)).resolves.toMatchObject({ newlyBuilt: true })
  else await expect(login(one.name, initialPassword)).rejects.toMatchObject({ key: `login-${after}` })
  const audit = await app.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'user.reset-password')
    .where('object', '=', one.name)
    .execute()
  expect(audit).toHaveLength(1)
  expect(JSON.stringify(audit)).not.toContain(initialPassword)
})

test('a user of another origin has no password here', async () => {
  const one = await userIn('normal')
  await app.db.updateTable('account').set({ type: 'LDAP', provider: '1' }).where('id', '=', one.id).execute()
  await expect(renew(one.id)).rejects.toMatchObject({ status: 409, key: 'password-elsewhere' })
})

test('the profile of a directory’s user is changed there, but the administrator’s right is changed here', async () => {
  const one = await userIn('normal')
  await app.db.updateTable('account').set({ type: 'LDAP', provider: '1' }).where('id', '=', one.id).execute()
  const change = (body: { nickname?: string; email?: string; admin?: boolean }) =>
    app.admin.call(users.update, { params: { id: one.id }, body })
  const before = await app.admin.call(users.get, { params: { id: one.id } })
  await expect(change({ nickname: 'renamed' })).rejects.toMatchObject({ status: 409, key: 'user-profile-elsewhere' })
  await expect(change({ email: 'x@example.test' })).rejects.toMatchObject({ key: 'user-profile-elsewhere' })
  await expect(change({ nickname: before.nickname, email: before.email, admin: true })).resolves.toMatchObject({
    admin: true,
  })
})

test('users are listed by state and by kind, and an auditor reads them without changing any', async () => {
  const locked = await userIn('locked')
  const external = await userIn('normal')
  await app.db.updateTable('account').set({ type: 'OAUTH', provider: 'p' }).where('id', '=', external.id).execute()
  const auditor = await app.user()
  const role = await app.db
    .insertInto('system_role')
    .values({ name: 'sees-users', permissions: ['system_user_view'] })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.db.insertInto('account_system_role').values({ account_id: auditor.id, role_id: role.id }).execute()
  const idsOf = async (query: object) =>
    (await auditor.call(users.list, { query: { pageSize: -1, ...query } })).items.map(({ id }) => id)
  expect(await idsOf({ state: 'locked' })).toEqual([locked.id])
  expect(await idsOf({ type: 'OAUTH' })).toEqual([external.id])
  expect(await idsOf({ type: 'LDAP', state: 'locked' })).toEqual([])
  expect(await idsOf({ sort: '-lastLoginAt' })).toContain(locked.id)
  await expect(auditor.call(users.list, { query: { state: 'gone' as 'locked' } })).rejects.toMatchObject({
    status: 400,
  })

  await expect(auditor.call(users.get, { params: { id: locked.id } })).resolves.toMatchObject({ state: 'locked' })
  await expect(auditor.call(users.update, { params: { id: locked.id }, body: { nickname: 'mine' } })).rejects.toThrow()
  await expect(
    auditor.call(users.approve, { params: { id: locked.id }, query: { enable: 'true' } }),
  ).rejects.toMatchObject({ status: 403, key: 'admin-only' })
})

test('a new user may start in a team, and an unknown team creates nobody', async () => {
  const body = { userName: 'beginner', nickname: 'Beginner', email: 'beginner@x.test' }
  await expect(app.admin.call(users.create, { body: { ...body, teamId: 2_000_000_000 } })).rejects.toMatchObject({
    status: 404,
    key: 'team-missing',
  })
  const made = await app.admin.call(users.create, { body: { ...body, teamId: team.id } })
  expect(made.teams).toEqual([{ id: team.id, name: team.name }])
  await expect(login('beginner', made.initialPassword)).resolves.toMatchObject({ newlyBuilt: true })
})
