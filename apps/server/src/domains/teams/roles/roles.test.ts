import { session } from '@gantry/contract/auth/session'
import { userTopic } from '@gantry/contract/users/topics'
import { roles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { expect, test } from 'vitest'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'
import { isPhrase } from '../../../kernel/phrase.ts'

const app = await testApp({ onlyDomains: ['auth', 'users', 'teams'] })

const create = (by: TestCaller, teamId: number, roleName: string) =>
  by.call(roles.create, { params: { teamId }, query: { roleName } })
const set = (by: TestCaller, teamId: number, roleId: number, body: { name: string; enable: boolean }[]) =>
  by.call(roles.setPermissions, { params: { teamId, roleId }, body })
const enabled = async (by: TestCaller, teamId: number, roleId: number) =>
  (await by.call(roles.permissions, { params: { teamId, roleId } })).filter((p) => p.enable).map(({ name }) => name)
const on = (name: string) => ({ name, enable: true })
const off = (name: string) => ({ name, enable: false })

test('a role name is unique within its team, not across teams', async () => {
  const [ours, theirs] = [await app.team(), await app.team()]
  await expect(create(ours.leader, ours.id, 'dev')).resolves.toMatchObject({ name: 'dev', members: 0, template: null })
  await expect(create(ours.leader, ours.id, 'dev')).rejects.toMatchObject({ status: 409, key: 'role-name-taken' })
  await expect(create(theirs.leader, theirs.id, 'dev')).resolves.toMatchObject({ name: 'dev' })
})

test.for([
  ['', 'request-invalid'],
  [' ', 'name-required'],
  ['x'.repeat(16), 'role-name-too-long'],
  ['-rm', 'name-leading-dash'],
  ['a\u202eb', 'text-hidden-characters'],
] as const)('%j is no role name', async ([roleName, key]) => {
  const team = await app.team()
  await expect(create(team.leader, team.id, roleName)).rejects.toMatchObject({ status: 400, key })
})

test('a role that somebody has cannot be deleted, others can', async () => {
  const team = await app.team()
  await team.member()
  const [taken] = await team.leader.call(roles.list, { params: { teamId: team.id } })
  const free = await create(team.leader, team.id, 'free')
  const remove = (roleId: number) => team.leader.call(roles.remove, { params: { teamId: team.id, roleId } })
  expect(taken).toMatchObject({ members: 1 })
  await expect(remove(taken?.id ?? 0)).rejects.toMatchObject({ status: 409, key: 'role-in-use' })
  await remove(free.id)
  await expect(remove(free.id)).rejects.toMatchObject({ status: 404, key: 'role-missing' })
})

test('permissions are set one by one, and the others stay', async () => {
  const team = await app.team()
  const { id } = await create(team.leader, team.id, 'dev')
  await set(team.leader, team.id, id, [on('team_role_view'), on('team_member_edit')])
  await set(team.leader, team.id, id, [off('team_member_edit'), on('team_role_create')])
  expect(await enabled(team.leader, team.id, id)).toEqual(['team_role_create', 'team_role_view'])
})

test('the role of another team does not exist', async () => {
  const [a, b] = [await app.team(), await app.team()]
  const { id } = await create(b.leader, b.id, 'theirs')
  const missing = { status: 404, key: 'role-missing' }
  await expect(set(a.leader, a.id, id, [on('team_role_view')])).rejects.toMatchObject(missing)
  await expect(enabled(a.leader, a.id, id)).rejects.toMatchObject(missing)
  await expect(a.leader.call(roles.remove, { params: { teamId: a.id, roleId: id } })).rejects.toMatchObject(missing)
  await expect(set(a.leader, b.id, id, [on('team_role_view')])).rejects.toMatchObject({ status: 403, key: 'user-team' })
})

test('unknown and duplicate permissions are refused', async () => {
  const team = await app.team()
  const { id } = await create(team.leader, team.id, 'dev')
  for (const name of ['everything', '__proto__', 'team_role_create; --', ''])
    await expect(set(team.leader, team.id, id, [on(name)])).rejects.toMatchObject({
      status: 400,
      key: 'role-unknown-permissions',
    })
  await expect(set(team.leader, team.id, id, [on('team_role_view'), off('team_role_view')])).rejects.toMatchObject({
    status: 400,
    key: 'role-double-permissions',
  })
  expect(await enabled(team.leader, team.id, id)).toEqual([])
})

test('nobody grants a permission that they lack, but may leave or remove it', async () => {
  const team = await app.team()
  const editor = await team.member(['team_role_edit', 'team_role_view'])
  const { id } = await create(team.leader, team.id, 'dev')
  await expect(set(editor, team.id, id, [on('team_role_view'), on('team_member_edit')])).rejects.toMatchObject({
    status: 403,
    key: 'role-grant-lacking',
    message: expect.stringContaining('“Set the roles of members”'),
  })
  expect(await enabled(editor, team.id, id)).toEqual([])
  await set(team.leader, team.id, id, [on('team_member_edit')])
  await set(editor, team.id, id, [on('team_member_edit'), on('team_role_view')])
  await set(editor, team.id, id, [off('team_member_edit')])
  expect(await enabled(editor, team.id, id)).toEqual(['team_role_view'])
})

test.for([
  ['viewer', ['view']],
  ['developer', ['create', 'edit', 'execute', 'view']],
  ['operator', ['execute', 'operate', 'view']],
  ['maintainer', ['create', 'delete', 'edit', 'execute', 'operate', 'view']],
] as const)(
  'the template %s has all permissions of its verbs, and only the maintainer more than views of the team itself',
  async ([name, types]) => {
    const all = (await app.admin.call(session.catalogue))
      .filter(({ type }) => type === 'team')
      .flatMap(({ permissions }) => permissions)
    const template = (await app.admin.call(roles.templates)).find((one) => one.name === name)
    const carried = all.filter((permission) => template?.permissions.includes(permission.name))
    expect(carried.length).toBe(template?.permissions.length)
    expect([...new Set(carried.map(({ type }) => type))].toSorted()).toEqual(types)
    const ofTeam = carried.filter((permission) => permission.name.startsWith('team_') && permission.type !== 'view')
    expect(ofTeam.length > 0).toBe(name === 'maintainer')
    if (name === 'maintainer') expect(carried.length).toBe(all.length)
  },
)

test('a role starts as a template, or as a copy of another role of the team', async () => {
  const team = await app.team()
  const make = (query: { roleName: string; from?: number; template?: 'viewer' | 'operator' }) =>
    team.leader.call(roles.create, { params: { teamId: team.id }, query })
  const ops = await make({ roleName: 'ops', template: 'operator' })
  const carried = await enabled(team.leader, team.id, ops.id)
  expect(carried).toContain('stack_service_operate')
  const copy = await make({ roleName: 'ops 2', from: ops.id })
  expect(await enabled(team.leader, team.id, copy.id)).toEqual(carried)
  const foreign = await create((await app.team()).leader, team.id, 'x').catch((error: unknown) => error)
  expect(foreign).toMatchObject({ status: 403, key: 'user-team' })
  await expect(make({ roleName: 'both', from: ops.id, template: 'viewer' })).rejects.toMatchObject({
    status: 400,
    key: 'role-two-origins',
  })
})

const first = ['developer', 'operator', 'viewer']
const rolesOf = (by: TestCaller, teamId: number) => by.call(roles.list, { params: { teamId } })

test('a new team has the roles developer, operator and viewer, with the permissions of their templates', async () => {
  const { id } = await app.admin.call(teams.create, { body: { name: 'begun' } })
  const begun = await rolesOf(app.admin, id)
  expect(begun.map(({ name, template, members }) => [name, template, members])).toEqual(
    first.map((name) => [name, name, 0]),
  )
  const templates = await app.admin.call(roles.templates)
  for (const role of begun)
    expect(await enabled(app.admin, id, role.id)).toEqual(
      templates.find(({ name }) => name === role.name)?.permissions.toSorted(),
    )
})

test('an older team gets the initial roles that it lacks, and keeps its own', async () => {
  const team = await app.team()
  const own = await create(team.leader, team.id, 'operator')
  const add = (by: TestCaller) => by.call(roles.addFirst, { params: { teamId: team.id } })
  const after = await add(team.leader)
  expect(after.map(({ name, template }) => [name, template])).toEqual([
    ['developer', 'developer'],
    ['operator', null],
    ['viewer', 'viewer'],
  ])
  expect(after.find(({ name }) => name === 'operator')?.id).toBe(own.id)
  expect(await add(team.leader)).toEqual(after)
})

test('nobody adds initial roles with more permissions than they hold', async () => {
  const team = await app.team()
  const one = await team.member(['team_role_create'])
  const add = one.call(roles.addFirst, { params: { teamId: team.id } })
  await expect(add).rejects.toMatchObject({ status: 403, key: 'role-grant-lacking' })
  expect((await rolesOf(team.leader, team.id)).map(({ name }) => name)).toEqual([`role-${one.id}`])
})

test('a role is described by its template until its permissions are changed', async () => {
  const team = await app.team()
  const params = { teamId: team.id }
  const role = await team.leader.call(roles.create, { params, query: { roleName: 'ops', template: 'operator' } })
  expect(role.template).toBe('operator')
  await set(team.leader, team.id, role.id, [on('stack_service_view')])
  expect(await rolesOf(team.leader, team.id)).toMatchObject([{ template: 'operator' }])
  await set(team.leader, team.id, role.id, [off('stack_service_view')])
  expect(await rolesOf(team.leader, team.id)).toMatchObject([{ template: null }])
})

test('a role of another team cannot be copied, nor one with more permissions than one holds', async () => {
  const [a, b] = [await app.team(), await app.team()]
  const theirs = await create(b.leader, b.id, 'theirs')
  const copy = (by: TestCaller, from: number) =>
    by.call(roles.create, { params: { teamId: a.id }, query: { roleName: 'copy', from } })
  await expect(copy(a.leader, theirs.id)).rejects.toMatchObject({ status: 404, key: 'role-missing' })

  const mighty = await create(a.leader, a.id, 'mighty')
  await set(a.leader, a.id, mighty.id, [on('team_member_edit')])
  const modest = await a.member(['team_role_create'])
  await expect(copy(modest, mighty.id)).rejects.toMatchObject({ status: 403, key: 'role-grant-lacking' })
  const template = { params: { teamId: a.id }, query: { roleName: 'm', template: 'maintainer' as const } }
  await expect(modest.call(roles.create, template)).rejects.toMatchObject({ status: 403, key: 'role-grant-lacking' })
})

test('nobody gives themselves a role with more permissions, nor one of another team', async () => {
  const [a, b] = [await app.team(), await app.team()]
  const one = await a.member(['team_member_edit'])
  const mighty = await create(a.leader, a.id, 'mighty')
  await set(a.leader, a.id, mighty.id, [on('team_role_edit')])
  const theirs = await create(b.leader, b.id, 'theirs')
  const take = (role: number) => one.call(teams.assignRole, { params: { id: a.id, userId: one.id }, body: role })
  await expect(take(mighty.id)).rejects.toMatchObject({ status: 403, key: 'role-grant-lacking' })
  await expect(take(0)).rejects.toMatchObject({ status: 403, key: 'team-leader-only' })
  await expect(take(theirs.id)).rejects.toMatchObject({ status: 404, key: 'role-missing' })
})

test('a system permission cannot be in a role of a team', async () => {
  const team = await app.team()
  const { id } = await create(team.leader, team.id, 'dev')
  await expect(set(team.leader, team.id, id, [on('system_user_view')])).rejects.toMatchObject({
    status: 400,
    key: 'role-unknown-permissions',
  })
})

test('a changed role is announced to its members and to users who view the team as it', async () => {
  const team = await app.team()
  const one = await team.member(['team_role_view'])
  const [role] = await team.leader.call(roles.list, { params: { teamId: team.id } })
  await team.leader.call(session.viewAs, { params: { teamId: team.id }, body: { roleId: role?.id ?? 0 } })
  await set(app.admin, team.id, role?.id ?? 0, [on('team_member_edit')])
  const published = await app.db
    .selectFrom('outbox')
    .select('topic')
    .where('topic', 'in', [userTopic.name({ userId: one.id }), userTopic.name({ userId: team.leader.id })])
    .orderBy('seq')
    .execute()
  expect(published.map(({ topic }) => topic).toSorted()).toEqual(
    [
      userTopic.name({ userId: one.id }),
      userTopic.name({ userId: team.leader.id }),
      userTopic.name({ userId: team.leader.id }),
    ].toSorted(),
  )
})

test('lists who can give a permission: the roles with it, and the leaders', async () => {
  const team = await app.team()
  const one = await team.member()
  const { id } = await create(team.leader, team.id, 'dev')
  await set(team.leader, team.id, id, [on('team_member_edit')])
  const ask = (name: string) => one.call(roles.givers, { params: { teamId: team.id, name } })
  expect(await ask('team_member_edit')).toEqual({ roles: ['dev'], leaders: [team.leader.name] })
  expect(await ask('team_role_edit')).toEqual({ roles: [], leaders: [team.leader.name] })
})

test('the catalogue has each permission of the endpoints once, with its domain, its calls and a description', async () => {
  const modules = await app.admin.call(session.catalogue)
  const of = (module: string, type: string) => modules.find((m) => m.module === module && m.type === type)
  expect(of('teams', 'team')?.permissions.map(({ name, type }) => [name, type])).toEqual([
    ['team_member_create', 'create'],
    ['team_member_delete', 'delete'],
    ['team_member_edit', 'edit'],
    ['team_role_create', 'create'],
    ['team_role_delete', 'delete'],
    ['team_role_edit', 'edit'],
    ['team_role_view', 'view'],
    ['team_team_edit', 'edit'],
  ])
  expect(of('teams', 'system')?.permissions.map(({ name }) => name)).toEqual(['system_role_view'])
  expect(of('sample', 'team')).toBeUndefined()
  expect(of('stacks', 'team')?.permissions.find(({ name }) => name === 'stack_service_view')).toMatchObject({
    enable: true,
    detail: 'View services',
    calls: expect.arrayContaining([
      'GET /api/tenants/:teamId/sample/answer',
      'GET /orchestration/api/:teamId/env/:envId/service/:id',
    ]),
  })
  const keys = modules.flatMap(({ permissions }) => permissions.map(({ name }) => name))
  expect(new Set(keys).size).toBe(keys.length)
})

test('the catalogue shows what the caller holds in the team of the header, in the requested language', async () => {
  const team = await app.team()
  const one = await team.member(['team_role_view'])
  const permissionsOf = async (headers: Record<string, string>) => {
    const modules = await one.call(session.catalogue, {}, headers)
    return modules.flatMap(({ permissions }) => permissions.filter(({ enable }) => enable))
  }
  expect(await permissionsOf({})).toEqual([])
  const [only, ...more] = await permissionsOf({ 'x-tenant-id': String(team.id), 'accept-language': 'zh' })
  expect([only?.name, only?.detail, more]).toEqual(['team_role_view', '查看角色和成员的权限', []])
  const modules = await team.leader.call(session.catalogue, {}, { 'x-tenant-id': String(team.id) })
  for (const { type, enable } of modules) expect(enable).toBe(type === 'team')
})

test('every permission has its phrase', async () => {
  const modules = await app.admin.call(session.catalogue)
  const keys = modules.flatMap(({ permissions }) => permissions.map(({ name }) => `permission.${name}`))
  expect(keys.filter((key) => !isPhrase(key))).toEqual([])
})
