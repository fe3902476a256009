import { session } from '@gantry/contract/auth/session'
import { setRevision } from '@gantry/contract/revision'
import { userTopic } from '@gantry/contract/users/topics'
import { systemRoles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { users } from '@gantry/contract/users/users'
import { beforeAll, expect, test } from 'vitest'
import { refusalOf, testApp } from '../../../../test/test-app.ts'
import { allPermissions } from '../../auth/public.ts'
import { start } from './system-roles.start.ts'

const app = await testApp({ onlyDomains: ['auth', 'users', 'teams'] })
beforeAll(() => start.run(app.ctx()))

let made = 0
const create = (permissions: string[], name = `role-${++made}`) =>
  app.admin.call(systemRoles.create, { body: { name, permissions } })
const assign = (id: number, body: number[]) => app.admin.call(users.assignSystemRoles, { params: { id }, body })
const builtIn = async (name: string) => {
  const role = (await app.admin.call(systemRoles.list)).find((one) => one.name === name)
  if (!role) throw new Error(`no role ${name}`)
  return role
}
const lastTrail = () =>
  app.db
    .selectFrom('audit_log')
    .select(['action', 'object', 'detail'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

test('the auditor views everything and changes nothing, and the operator also operates and executes', async () => {
  const all = await allPermissions()
  const auditor = await builtIn('platform-auditor')
  expect(auditor.permissions).toEqual(all.filter(({ type }) => type === 'view').map(({ name }) => name))
  expect(auditor.permissions).toContain('system_audit_view')
  const types = new Set(
    (await builtIn('platform-operator')).permissions.map((key) => all.find(({ name }) => name === key)?.type),
  )
  expect([...types].toSorted()).toEqual(['execute', 'operate', 'view'])
})

test('built-in roles stay as they are, however often and on however many servers the product starts', async () => {
  const { id } = await builtIn('platform-auditor')
  const refused = { status: 409, key: 'system-role-built-in' }
  const body = { name: 'mine', permissions: [] }
  await expect(app.admin.call(systemRoles.update, { params: { roleId: id }, body })).rejects.toMatchObject(refused)
  await expect(app.admin.call(systemRoles.remove, { params: { roleId: id } })).rejects.toMatchObject(refused)
  await app.db.updateTable('system_role').set({ permissions: [] }).where('id', '=', id).execute()
  await Promise.all([start.run(app.ctx()), start.run(app.ctx())])
  expect(await builtIn('platform-auditor')).toMatchObject({ id, builtIn: true })
  expect((await builtIn('platform-auditor')).permissions).toContain('team_role_view')
})

test('a holder without a team logs in, and sees and enters every team', async () => {
  const [team, visitor] = [await app.team(), await app.user()]
  await assign(visitor.id, [(await builtIn('platform-auditor')).id])
  const { totalSize } = await visitor.call(teams.list)
  expect(totalSize).toBe((await app.admin.call(teams.list)).totalSize)
  await expect(visitor.call(session.refresh, { query: { tenantId: team.id } })).resolves.toMatchObject({
    admin: false,
    teams: [],
    systemRoles: ['platform-auditor'],
  })
  const listed = await visitor.call(session.permissions, { params: { teamId: team.id, userId: visitor.id } })
  expect(listed.filter(({ enable }) => enable).map(({ name }) => name)).toEqual(
    (await builtIn('platform-auditor')).permissions,
  )
  await expect(visitor.call(users.list)).resolves.toMatchObject({ requestPage: 1 })
  await expect(visitor.call(teams.update, { params: { id: team.id }, body: { name: 'mine' } })).rejects.toMatchObject({
    status: 403,
    key: 'permission-missing-nobody',
  })
})

test('permissions must be known, unique, and of teams or the system', async () => {
  await expect(create(['team_role_view', 'system_user_view'])).resolves.toMatchObject({ builtIn: false, users: 0 })
  await expect(create(['everything'])).rejects.toMatchObject({ status: 400, key: 'role-unknown-permissions' })
  await expect(create(['team_role_view', 'team_role_view'])).rejects.toMatchObject({
    status: 400,
    key: 'role-double-permissions',
  })
  await create([], 'taken')
  await expect(create([], 'taken')).rejects.toMatchObject({ status: 409, key: 'system-role-name-taken' })
})

test('a change applies to holders at once, is announced to them, and is in the audit log with before and after', async () => {
  const [team, one] = [await app.team(), await app.user()]
  const role = await create(['team_role_view'])
  await assign(one.id, [role.id])
  expect(await lastTrail()).toMatchObject({
    action: 'user.assign-roles',
    object: one.name,
    detail: { before: [], after: [role.name] },
  })
  const roleNames = async () => (await one.call(session.refresh, { query: { tenantId: team.id } })).systemRoles
  expect(await roleNames()).toEqual([role.name])

  const body = { name: role.name, permissions: ['system_user_view'] }
  await app.admin.call(systemRoles.update, { params: { roleId: role.id }, body })
  expect((await lastTrail()).detail).toMatchObject({ before: { permissions: ['team_role_view'] }, after: body })
  await expect(one.call(teams.get, { params: { id: team.id } })).rejects.toMatchObject({ key: 'user-team' })
  const published = await app.db
    .selectFrom('outbox')
    .select('content')
    .where('topic', '=', userTopic.name({ userId: one.id }))
    .execute()
  expect(published).toEqual([{ content: {} }, { content: {} }])
})

test('a role that somebody has cannot be deleted; once withdrawn from all, it can', async () => {
  const one = await app.user()
  const role = await create(['team_role_view'])
  const remove = () => app.admin.call(systemRoles.remove, { params: { roleId: role.id } })
  await assign(one.id, [role.id])
  await expect(remove()).rejects.toMatchObject({ status: 409, key: 'system-role-in-use' })
  await assign(one.id, [])
  await remove()
  await expect(remove()).rejects.toMatchObject({ status: 404, key: 'system-role-missing' })
})

test('roles are replaced only if they are still those that the caller read', async () => {
  const { id } = await app.user()
  const [one, two] = [(await create([])).id, (await create([])).id]
  const on = (before: number[], body: number[]) =>
    app.admin.call(users.assignSystemRoles, { params: { id }, query: { revision: setRevision(before) }, body })
  const roleIds = async () => (await app.admin.call(users.get, { params: { id } })).roles.map((role) => role.id)
  await on([], [one])
  expect(await refusalOf(on([], [two]))).toMatchObject({ status: 409, key: 'edit-on-older' })
  expect(await roleIds()).toEqual([one])
  await on([one], [two, one])
  await on([two, one], [two])
  await assign(id, [one])
  expect(await roleIds()).toEqual([one])
})

test('assigning is all or nothing, and only for administrators', async () => {
  const [one, auditor] = [await app.user(), await app.user()]
  const role = await create(['team_role_view'])
  await assign(auditor.id, [(await builtIn('platform-auditor')).id])
  await expect(assign(one.id, [role.id, 999_999])).rejects.toMatchObject({ status: 404, key: 'system-role-missing' })
  await expect(assign(one.id, [role.id, role.id])).rejects.toMatchObject({ status: 400, key: 'system-roles-double' })
  await expect(assign(999_999, [])).rejects.toMatchObject({ status: 404 })
  await expect(
    auditor.call(users.assignSystemRoles, { params: { id: auditor.id }, body: [role.id] }),
  ).rejects.toMatchObject({ status: 403, key: 'admin-only' })
  expect((await app.admin.call(systemRoles.list)).find(({ id }) => id === role.id)?.users).toBe(0)
})
