import { audit } from '@gantry/contract/audit/audit'
import { roles } from '@gantry/contract/teams/roles'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { testApp, type TestCaller } from '../../../test/test-app.ts'

const app = await testApp({ onlyDomains: ['auth', 'users', 'teams', 'audit'] })
const [a, b] = [await app.team('team-a'), await app.team('team-b')]
const [devA, devB] = [await a.member(['team_role_create']), await b.member(['team_role_create'])]

const act = (by: TestCaller, teamId: number, roleName: string) =>
  by.call(roles.create, { params: { teamId }, query: { roleName } }).catch(() => undefined)
await act(devA, a.id, 'by-dev-a')
await act(a.leader, a.id, 'by-leader-a')
await act(devB, b.id, 'by-dev-b')
await act(devA, b.id, 'foreign')

const search = (by: TestCaller, query: z.input<typeof audit.search.query> = {}, headers = {}) =>
  by.call(audit.search, { query }, headers)
const objects = async (...given: Parameters<typeof search>) =>
  (await search(...given)).items.map(({ object, username }) => object || username)

test('a row says who did what to which object, where, when and with which result', async () => {
  const { items } = await search(app.admin, { userId: devA.id })
  expect(items).toEqual([
    {
      id: expect.any(Number),
      userId: devA.id,
      username: devA.name,
      ip: '127.0.0.1',
      teamId: null,
      teamName: '',
      method: 'POST',
      url: `/api/tenants/${b.id}/roles?roleName=foreign`,
      apiValue: 'role.create',
      action: 'Create role',
      object: '',
      result: 0,
      msg: 'user-team',
      reason: 'You are not a member of this team',
      startTime: expect.any(String),
      durationMs: expect.any(Number),
    },
    expect.objectContaining({ teamId: a.id, teamName: 'team-a', object: 'by-dev-a', result: 1, msg: '' }),
  ])
})

test('an administrator sees all, a leader the team, a member what they did themselves', async () => {
  expect(await objects(app.admin)).toEqual([devA.name, 'by-dev-b', 'by-leader-a', 'by-dev-a'])
  expect(await objects(a.leader)).toEqual(['by-leader-a', 'by-dev-a'])
  expect(await objects(a.leader, {}, { 'x-tenant-id': `${b.id}` })).toEqual(['by-leader-a', 'by-dev-a'])
  expect(await objects(devA)).toEqual([devA.name, 'by-dev-a'])
  expect(await objects(devA, { userId: devB.id })).toEqual([])
  expect(await objects(devA, { teamName: 'team-b' })).toEqual([])
  await expect(search(app.anonymous)).rejects.toMatchObject({ status: 401 })
})

test('every filter of the specification narrows', async () => {
  expect(await objects(app.admin, { teamName: 'TEAM-B' })).toEqual(['by-dev-b'])
  expect(await objects(app.admin, { result: '0' })).toEqual([devA.name])
  expect(await objects(app.admin, { result: '1', userId: devA.id })).toEqual(['by-dev-a'])
  expect(await objects(app.admin, { msg: 'leader' })).toEqual(['by-leader-a'])
  expect(await objects(app.admin, { url: `/tenants/${b.id}/` })).toEqual([devA.name, 'by-dev-b'])
  expect(await objects(app.admin, { apiValue: 'role.cre', pageSize: 1 })).toEqual([devA.name])
  expect(await objects(app.admin, { apiValue: 'team.' })).toEqual([])
  expect(await objects(app.admin, { keyword: devB.name })).toEqual(['by-dev-b'])
  expect(await objects(app.admin, { apiValue: '创建角色', msg: 'foreign' })).toEqual([])
  expect(await objects(app.admin, { apiValue: 'create ROLE', msg: 'not a member' })).toEqual([devA.name])
  expect(await objects(app.admin, { msg: '不是该团队的成员' })).toEqual([devA.name])
  const { items } = await search(app.admin, { sort: 'startTime' })
  const [first, second] = items
  const [from, to] = [Date.parse(first?.startTime ?? ''), Date.parse(second?.startTime ?? '')]
  expect(await objects(app.admin, { endTime: from - 1 })).toEqual([])
  expect((await objects(app.admin, { startTime: from, endTime: to })).slice(-1)).toEqual(['by-dev-a'])
})

test('pages hold ten, the newest first', async () => {
  for (let i = 0; i < 12; i++) await act(a.leader, a.id, `page-${i}`)
  const list = await search(a.leader, { msg: 'page-' })
  expect(list).toMatchObject({ pageSize: 10, requestPage: 1, totalSize: 12 })
  expect(await objects(a.leader, { msg: 'page-', page: 2 })).toEqual(['page-1', 'page-0'])
})

test('searched texts are taken literally, and invalid times are refused', async () => {
  for (const url of ['.*', '%', '_api', '(a+)+$', '\\', "'; drop table audit_log; --"])
    expect(await objects(app.admin, { url })).toEqual([])
  expect((await objects(app.admin, { startTime: 0, endTime: 8_640_000_000_000_000 })).length).toBeGreaterThan(0)
  expect(await objects(app.admin, { startTime: 8_640_000_000_000_000 })).toEqual([])
  const refused = (query: Record<string, unknown>) => search(app.admin, query as z.input<typeof audit.search.query>)
  for (const startTime of [9e15, -1, 'NaN', '1 or 1', 1.5])
    await expect(refused({ startTime })).rejects.toMatchObject({ status: 400 })
  await expect(refused({ startTime: 2, endTime: 1 })).rejects.toMatchObject({ status: 400, key: 'time-range-invalid' })
  for (const more of [
    { result: '2' },
    { userId: 'me' },
    { userId: 2_147_483_648 },
    { pageSize: 0 },
    { page: 1e18 },
    { page: '1 or 1' },
    { other: 1 },
  ])
    await expect(refused(more)).rejects.toMatchObject({ status: 400 })
})

test('a character that PostgreSQL rejects is refused or finds nothing, and causes no server error', async () => {
  for (const msg of ['\u0000', '\ud800', '😀'])
    expect([200, 400]).toContain((await app.admin.request(audit.search, { query: { msg } })).statusCode)
})

const auditor = async () => {
  const one = await app.user({ name: 'auditor' })
  const role = await app.db
    .insertInto('system_role')
    .values({ name: 'audits', permissions: ['system_audit_view'] })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.db.insertInto('account_system_role').values({ account_id: one.id, role_id: role.id }).execute()
  return one
}

test('system_audit_view shows all rows, team_audit_view those of the team', async () => {
  expect(await objects(await auditor(), { apiValue: 'role.', msg: 'by-' })).toEqual([
    'by-dev-b',
    'by-leader-a',
    'by-dev-a',
  ])
  expect(await objects(await b.member(['team_audit_view']))).toEqual(['by-dev-b'])
})

test('one row shows what changed, with secrets masked', async () => {
  const role = await a.leader.call(roles.create, { params: { teamId: a.id }, query: { roleName: 'changing' } })
  await a.leader.call(roles.setPermissions, {
    params: { teamId: a.id, roleId: role.id },
    body: [{ name: 'team_role_view', enable: true }],
  })
  const { items } = await search(a.leader, { apiValue: 'role.update' })
  const id = items[0]?.id ?? 0
  const row = await a.leader.call(audit.get, { params: { id } })
  expect(row).toMatchObject({ object: 'changing', before: [], after: ['team_role_view'], action: 'Edit role' })
  expect(row.requestId).toMatch(/\S{8}/)
  await expect(devA.call(audit.get, { params: { id } })).rejects.toMatchObject({ status: 404 })
  await expect(app.admin.call(audit.get, { params: { id: 999_999 } })).rejects.toMatchObject({ status: 404 })
})

test('a reason has an ellipsis for each value of its phrase, and a server error its request', async () => {
  await act(devB, b.id, 'by-dev-b')
  const by = { actor_kind: 'user' as const, actor_id: devB.id, actor_name: devB.name, ip: '127.0.0.1' }
  const call = { started_at: new Date(), duration_ms: 1, action: 'role.create', method: 'POST', url: '/', object: '' }
  const failed = { status: 500, message: 'server-error', request_id: 'request-7' }
  await app.db
    .insertInto('audit_log')
    .values({ ...by, ...call, ...failed })
    .execute()
  const [error, refused] = (await search(devB, { result: '0' })).items.map(({ reason }) => reason)
  expect(error).toContain('the number request-7')
  expect(refused).toBe('The team already has a role named …. Choose another name.')
})
