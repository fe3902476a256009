import { session } from '@gantry/contract/auth/session'
import { roles } from '@gantry/contract/teams/roles'
import { expect, test } from 'vitest'
import { testApp, type TestCaller } from '../../../test/test-app.ts'
import { isPhrase } from '../../kernel/phrase.ts'

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
  await expect(create(ours.leader, ours.id, 'dev')).resolves.toMatchObject({ name: 'dev', members: 0 })
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

test('a role that somebody has stays; one that nobody has goes', async () => {
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

test('permissions are set one by one, and the rest stays', async () => {
  const team = await app.team()
  const { id } = await create(team.leader, team.id, 'dev')
  await set(team.leader, team.id, id, [on('team_role_view'), on('team_member_edit')])
  await set(team.leader, team.id, id, [off('team_member_edit'), on('team_role_create')])
  expect(await enabled(team.leader, team.id, id)).toEqual(['team_role_create', 'team_role_view'])
})

test('25: the role of another team does not exist', async () => {
  const [a, b] = [await app.team(), await app.team()]
  const { id } = await create(b.leader, b.id, 'theirs')
  const missing = { status: 404, key: 'role-missing' }
  await expect(set(a.leader, a.id, id, [on('team_role_view')])).rejects.toMatchObject(missing)
  await expect(enabled(a.leader, a.id, id)).rejects.toMatchObject(missing)
  await expect(a.leader.call(roles.remove, { params: { teamId: a.id, roleId: id } })).rejects.toMatchObject(missing)
  await expect(set(a.leader, b.id, id, [on('team_role_view')])).rejects.toMatchObject({ status: 403, key: 'user-team' })
})

test('25: unknown and doubled keys are refused', async () => {
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

test('25: nobody grants what they lack, but may leave it or take it away', async () => {
  const team = await app.team()
  const editor = await team.member(['team_role_edit', 'team_role_view'])
  const { id } = await create(team.leader, team.id, 'dev')
  await expect(set(editor, team.id, id, [on('team_role_view'), on('team_member_edit')])).rejects.toMatchObject({
    status: 403,
    key: 'role-grant-lacking',
    message: expect.stringContaining('team_member_edit'),
  })
  expect(await enabled(editor, team.id, id)).toEqual([])
  await set(team.leader, team.id, id, [on('team_member_edit')])
  await set(editor, team.id, id, [on('team_member_edit'), on('team_role_view')])
  await set(editor, team.id, id, [off('team_member_edit')])
  expect(await enabled(editor, team.id, id)).toEqual(['team_role_view'])
})

test('the catalogue is what the endpoints ask for: each key once, with the domain of its thing, its calls and a detail', async () => {
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
    detail: 'See services',
    calls: expect.arrayContaining([
      'GET /api/tenants/:teamId/sample/answer',
      'GET /orchestration/api/:teamId/env/:envId/service/:id',
    ]),
  })
  const keys = modules.flatMap(({ permissions }) => permissions.map(({ name }) => name))
  expect(new Set(keys).size).toBe(keys.length)
})

test('the catalogue says what the caller holds in the team of the header, in the language asked for', async () => {
  const team = await app.team()
  const one = await team.member(['team_role_view'])
  const held = async (headers: Record<string, string>) => {
    const modules = await one.call(session.catalogue, {}, headers)
    return modules.flatMap(({ permissions }) => permissions.filter(({ enable }) => enable))
  }
  expect(await held({})).toEqual([])
  const [only, ...more] = await held({ 'x-tenant-id': String(team.id), 'accept-language': 'zh' })
  expect([only?.name, only?.detail, more]).toEqual(['team_role_view', '查看角色和成员的权限', []])
  const modules = await team.leader.call(session.catalogue, {}, { 'x-tenant-id': String(team.id) })
  for (const { type, enable } of modules) expect(enable).toBe(type === 'team')
})

test('every permission has its phrase', async () => {
  const modules = await app.admin.call(session.catalogue)
  const keys = modules.flatMap(({ permissions }) => permissions.map(({ name }) => `permission.${name}`))
  expect(keys.filter((key) => !isPhrase(key))).toEqual([])
})
