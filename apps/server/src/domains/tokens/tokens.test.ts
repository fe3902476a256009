import { session } from '@gantry/contract/auth/session'
import { pushPath } from '@gantry/contract/push/path'
import { roles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { tokens } from '@gantry/contract/tokens/tokens'
import { users } from '@gantry/contract/users/users'
import { expect, test } from 'vitest'
import { socketClient } from '../../../test/socket-client.ts'
import { testApp, type TestCaller } from '../../../test/test-app.ts'
import { hashToken } from '../../identity/sessions.ts'

const app = await testApp({ onlyDomains: ['auth', 'users', 'teams', 'tokens'] })
const client = await socketClient(app)

interface Wanted {
  permissions?: string[]
  days?: number
}
let made = 0
const create = (by: TestCaller, teamId: number, body: Wanted = {}, alias = `token-${++made}`) =>
  by.call(tokens.create, { params: { teamId, alias }, body })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const rolesOf = (teamId: number, token: string) => app.anonymous.call(roles.list, { params: { teamId } }, bearer(token))
const addRole = (teamId: number, token: string, roleName = `r-${++made}`) =>
  app.anonymous.call(roles.create, { params: { teamId }, query: { roleName } }, bearer(token))

test('the secret is returned once, and neither listed nor stored', async () => {
  const team = await app.team()
  const { token, ...created } = await create(team.leader, team.id, { permissions: ['team_role_view'] }, 'nightly')
  expect(token).toMatch(/^gt_[\w-]{43}$/)
  expect(created).toMatchObject({ alias: 'nightly', creator: team.leader.name, permissions: ['team_role_view'] })
  const list = await team.leader.request(tokens.list, { params: { teamId: team.id } })
  expect(list.json().data).toEqual([created])
  const row = await app.db.selectFrom('api_token').selectAll().where('id', '=', created.id).executeTakeFirstOrThrow()
  for (const text of [list.body, JSON.stringify(row)]) expect(text).not.toContain(token.slice(3))
  const trail = await app.db.selectFrom('audit_log').selectAll().where('action', '=', 'token.create').execute()
  expect(JSON.stringify(trail)).not.toContain(token.slice(3))
})

test.for([
  ['..%2f', 'alias-format'],
  ['../x', 'alias-format'],
  ['🚀', 'alias-format'],
  ['-rf', 'name-leading-dash'],
  ['a\u202eb', 'text-hidden-characters'],
  [' ', 'name-required'],
  ['x'.repeat(31), 'alias-too-long'],
] as const)('%j is no alias', async ([alias, key]) => {
  const team = await app.team()
  await expect(create(team.leader, team.id, {}, alias)).rejects.toMatchObject({ status: 400, key })
})

test('an alias is unique in a team, and a second use changes nothing', async () => {
  const [team, other] = [await app.team(), await app.team()]
  const first = await create(team.leader, team.id, {}, 'same')
  await expect(create(team.leader, team.id, {}, 'same')).rejects.toMatchObject({
    status: 400,
    key: 'token-alias-taken',
  })
  await create(other.leader, other.id, {}, 'same')
  await expect(rolesOf(team.id, first.token)).resolves.toEqual([])
})

test('a token has no more permissions than its creator holds, and all of them by default', async () => {
  const team = await app.team()
  const one = await team.member(['team_token_create', 'team_role_view'])
  expect((await create(one, team.id)).permissions).toEqual(['team_role_view', 'team_token_create'])
  await expect(create(one, team.id, { permissions: ['team_role_create'] })).rejects.toMatchObject({
    status: 403,
    key: 'token-grant-lacking',
  })
  for (const [permissions, key] of [
    [['everything'], 'role-unknown-permissions'],
    [['system_user_view'], 'role-unknown-permissions'],
    [['team_role_view', 'team_role_view'], 'role-double-permissions'],
    [[], 'token-permissions-none'],
  ] as const)
    await expect(create(app.admin, team.id, { permissions: [...permissions] })).rejects.toMatchObject({
      status: 400,
      key,
    })
})

test('a token may do what both it and its creator may do at the time of the call', async () => {
  const team = await app.team()
  const one = await team.member(['team_token_create', 'team_role_create', 'team_role_view'])
  const { token } = await create(one, team.id, { permissions: ['team_role_create'] })
  await expect(addRole(team.id, token)).resolves.toBeDefined()
  const [role] = await rolesOf(team.id, token)
  await expect(
    app.anonymous.call(roles.permissions, { params: { teamId: team.id, roleId: role?.id ?? 0 } }, bearer(token)),
  ).rejects.toMatchObject({ status: 403, key: 'permission-missing-token' })
  await app.db.updateTable('team_role').set({ permissions: [] }).where('name', '=', `role-${one.id}`).execute()
  await expect(addRole(team.id, token)).rejects.toMatchObject({ status: 403, key: 'permission-missing-maker' })
})

test('the token of an administrator is no administrator, and grants only its own permissions', async () => {
  const team = await app.team()
  const { token } = await create(app.admin, team.id, { permissions: ['team_role_create', 'team_member_edit'] })
  const call = bearer(token)
  await expect(app.anonymous.call(users.list, {}, call)).rejects.toMatchObject({ status: 403, key: 'token-not-here' })
  await expect(app.anonymous.call(teams.list, {}, call)).resolves.toMatchObject({ items: [{ id: team.id }] })
  const viewer = { params: { teamId: team.id }, query: { roleName: 'all', template: 'maintainer' as const } }
  await expect(app.anonymous.call(roles.create, viewer, call)).rejects.toMatchObject({ key: 'role-grant-lacking' })
  const promote = { params: { id: team.id, userId: (await team.member()).id }, body: 0 }
  await expect(app.anonymous.call(teams.assignRole, promote, call)).rejects.toMatchObject({ key: 'team-leader-only' })
  await expect(
    app.anonymous.call(tokens.create, { params: { teamId: team.id, alias: 'child' }, body: {} }, call),
  ).rejects.toMatchObject({ key: 'token-not-here' })
})

test('a token is 401 in another team, whatever its creator is there', async () => {
  const [team, other] = [await app.team(), await app.team()]
  await app.db
    .insertInto('team_member')
    .values({ team_id: other.id, account_id: team.leader.id, leader: true })
    .execute()
  const { token } = await create(team.leader, team.id)
  await expect(rolesOf(other.id, token)).rejects.toMatchObject({ status: 401, key: 'token-other-team' })
  const foreign = await create(other.leader, other.id)
  const remove = (id: number) => app.anonymous.request(tokens.remove, { params: { id } }, bearer(token))
  expect((await remove(foreign.id)).body).toBe((await remove(999_999)).body)
})

test('a token expires when it should, and the list shows this', async () => {
  const team = await app.team()
  const forGood = await create(team.leader, team.id, { days: 0 })
  expect(forGood.expiresAt).toBeNull()
  const { id, token, expiresAt } = await create(team.leader, team.id, { days: 7 })
  expect(Math.round((Date.parse(expiresAt ?? '') - Date.now()) / 86_400_000)).toBe(7)
  await app.db
    .updateTable('api_token')
    .set({ expires_at: new Date(0) })
    .where('id', '=', id)
    .execute()
  await expect(rolesOf(team.id, token)).rejects.toMatchObject({ status: 401, key: 'session-over' })
  const list = await team.leader.call(tokens.list, { params: { teamId: team.id } })
  expect(list.map(({ expired }) => expired)).toEqual([false, true])
  await expect(create(team.leader, team.id, { days: 3651 })).rejects.toMatchObject({ status: 400, key: 'token-days' })
})

test('the last use of a token is exact to the minute', async () => {
  const team = await app.team()
  const { id, token } = await create(team.leader, team.id)
  const used = () =>
    app.db.selectFrom('api_token').select('last_used_at').where('id', '=', id).executeTakeFirstOrThrow()
  expect((await used()).last_used_at).toBeNull()
  await rolesOf(team.id, token)
  const first = (await used()).last_used_at
  expect(first).not.toBeNull()
  await rolesOf(team.id, token)
  expect((await used()).last_used_at).toEqual(first)
})

test.for([
  ['is deleted', (by: TestCaller, id: number) => by.call(tokens.remove, { params: { id } })],
  [
    'loses its creator to a ban',
    (by: TestCaller) => app.admin.call(users.approve, { params: { id: by.id }, query: { enable: 'false' } }),
  ],
] as const)('once it %s its calls are 401 and its sockets close', async ([, end]) => {
  const team = await app.team()
  const { id, token } = await create(team.leader, team.id)
  const { ticket } = await app.anonymous.call(
    session.ticket,
    { body: { method: 'GET', path: pushPath } },
    bearer(token),
  )
  const socket = await client.open(`${pushPath}?authorization=${ticket}`)
  expect(socket.ws.readyState).toBe(socket.ws.OPEN)
  await end(team.leader, id)
  await expect(rolesOf(team.id, token)).rejects.toMatchObject({ status: 401, key: 'session-over' })
  expect(await socket.ended).toBe(1008)
})

test('a team has a limited number of tokens', async () => {
  const team = await app.team()
  await app.db
    .insertInto('api_token')
    .values(
      Array.from({ length: 99 }, (_, at) => ({
        team_id: team.id,
        account_id: team.leader.id,
        alias: `many-${at}`,
        token_hash: hashToken(`many-${team.id}-${at}`),
      })),
    )
    .execute()
  const both = await Promise.allSettled([create(team.leader, team.id), create(team.leader, team.id)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(create(team.leader, team.id)).rejects.toMatchObject({ status: 409, key: 'tokens-too-many' })
})
