import { session } from '@gantry/contract/auth/session'
import { pushPath } from '@gantry/contract/push/path'
import { roles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '@gantry/contract/endpoint'
import { socketClient } from '../../../../test/socket-client.ts'
import { testApp, type TestAppOptions, type TestCaller } from '../../../../test/test-app.ts'

const terminalPath = '/ws/sample/:teamId/terminal'
const closed = endpoint({
  method: 'GET',
  path: '/api/sample/:teamId/closed',
  access: { team: 'teamId', permission: 'team_member_edit' },
  summary: 'For who may set roles',
  params: z.strictObject({ teamId: z.coerce.number() }),
  data: z.null(),
})
const more: NonNullable<TestAppOptions['more']> = {
  endpoints: [closed],
  routes: (route) => route(closed, () => null),
  sockets: (socket) =>
    socket(
      {
        path: terminalPath,
        access: { team: 'teamId', permission: 'team_role_view' },
        params: z.strictObject({ teamId: z.coerce.number() }),
        audit: 'sample.terminal',
      },
      (_ctx, ws) => ws.send('{"open":true}'),
    ),
}
const app = await testApp({ onlyDomains: ['auth', 'users', 'teams'], more })
const client = await socketClient(app)

/** A team with a role that a member has. */
async function scene(permissions: string[] = ['team_role_view']) {
  const team = await app.team()
  const one = await team.member(permissions)
  const [role] = await team.leader.call(roles.list, { params: { teamId: team.id } })
  if (!role) throw new Error('no role')
  return { team, one, role }
}
const look = (by: TestCaller, teamId: number, roleId: number) =>
  by.call(session.viewAs, { params: { teamId }, body: { roleId } })
const again = (by: TestCaller, teamId: number) => by.call(session.refresh, { query: { tenantId: teamId } })
const may = async (by: TestCaller, teamId: number) =>
  (await by.call(session.permissions, { params: { teamId, userId: by.id } }))
    .filter(({ enable }) => enable)
    .map(({ name }) => name)

test.for(['leader', 'administrator'] as const)(
  'a %s sees the team like the role, and afterwards like before',
  async (who) => {
    const { team, role } = await scene()
    const viewer = who === 'leader' ? team.leader : await app.user({ admin: true })
    expect(await look(viewer, team.id, role.id)).toEqual({ teamId: team.id, roleId: role.id, roleName: role.name })
    expect(await may(viewer, team.id)).toEqual(['team_role_view'])
    await expect(viewer.call(closed, { params: { teamId: team.id } })).rejects.toMatchObject({
      status: 403,
      key: 'permission-missing-view',
    })
    expect(await again(viewer, team.id)).toMatchObject({
      admin: false,
      systemRoles: [],
      teams: [{ id: team.id, name: team.name, roleName: role.name, teamLeader: false }],
      viewAs: { teamId: team.id, roleId: role.id, roleName: role.name },
    })

    expect(await look(viewer, team.id, 0)).toBeNull()
    await expect(viewer.call(closed, { params: { teamId: team.id } })).resolves.toBeNull()
    expect(await again(viewer, team.id)).toMatchObject({ admin: who === 'administrator', viewAs: null })
  },
)

test('meanwhile there is no other team, in lists, calls or by switching', async () => {
  const { team, role } = await scene()
  const other = await app.team()
  await app.db
    .insertInto('team_member')
    .values({ team_id: other.id, account_id: team.leader.id, leader: true })
    .execute()
  await look(team.leader, team.id, role.id)
  const { items } = await team.leader.call(teams.list)
  expect(items.map(({ id }) => id)).toEqual([team.id])
  const foreign = { status: 403, key: 'user-team' }
  await expect(team.leader.call(teams.get, { params: { id: other.id } })).rejects.toMatchObject(foreign)
  await expect(again(team.leader, other.id)).rejects.toMatchObject(foreign)
})

test('every write but switching to another role is refused with its own message', async () => {
  const { team, role } = await scene(['team_role_create', 'team_role_delete', 'team_role_view'])
  const other = await team.leader.call(roles.create, { params: { teamId: team.id }, query: { roleName: 'next' } })
  await look(team.leader, team.id, role.id)
  const create = team.leader.call(roles.create, { params: { teamId: team.id }, query: { roleName: 'more' } })
  await expect(create).rejects.toMatchObject({ status: 403, key: 'view-as-read-only' })
  await expect(create).rejects.toThrow(role.name)
  expect(await look(team.leader, team.id, other.id)).toMatchObject({ roleName: 'next' })
  expect(await may(team.leader, team.id)).toEqual([])
  await expect(look(team.leader, team.id, 999_999)).rejects.toMatchObject({ status: 404, key: 'role-missing' })
})

test('only leaders and administrators may use it, in their own teams, and for roles of the team', async () => {
  const { team, one, role } = await scene(['team_role_view', 'team_role_edit'])
  const other = await scene()
  await expect(look(one, team.id, role.id)).rejects.toMatchObject({ status: 403, key: 'view-as-leader-only' })
  await expect(look(team.leader, team.id, other.role.id)).rejects.toMatchObject({ status: 404, key: 'role-missing' })
  await expect(look(team.leader, other.team.id, other.role.id)).rejects.toMatchObject({ key: 'user-team' })
})

test('it ends when the role is deleted, or when the user no longer leads the team', async () => {
  const { team } = await scene()
  const free = await team.leader.call(roles.create, { params: { teamId: team.id }, query: { roleName: 'free' } })
  const second = await app.user()
  await app.db.insertInto('team_member').values({ team_id: team.id, account_id: second.id, leader: true }).execute()
  await look(team.leader, team.id, free.id)
  await second.call(roles.remove, { params: { teamId: team.id, roleId: free.id } })
  expect(await again(team.leader, team.id)).toMatchObject({ viewAs: null })

  const mighty = await team.leader.call(roles.create, {
    params: { teamId: team.id },
    query: { roleName: 'mighty', template: 'maintainer' },
  })
  await look(team.leader, team.id, mighty.id)
  await app.db.updateTable('team_member').set({ leader: false }).where('account_id', '=', team.leader.id).execute()
  // permissions of the view end with the right to view
  expect(await may(team.leader, team.id)).toEqual([])
  expect(await again(team.leader, team.id)).toMatchObject({ viewAs: null })
})

test('an open terminal closes when it starts and none can be opened, and the push channel stays and announces it', async () => {
  const { team, role } = await scene()
  const path = terminalPath.replace(':teamId', String(team.id))
  const terminal = await client.as(team.leader, path)
  const push = await client.as(team.leader, pushPath)
  push.send({ op: 'subscribe', topic: `user/${team.leader.id}` })
  await look(team.leader, team.id, role.id)
  expect(await terminal.ended).toBe(1008)
  expect(await (await client.as(team.leader, path)).ended).toBe(403)
  await expect.poll(() => push.frames.map(({ content }) => content)).toContainEqual({})
  expect(push.ws.readyState).toBe(push.ws.OPEN)
  push.ws.close()
})
