import { roles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { teamsTopic, teamTopic } from '@gantry/contract/teams/topics'
import { usersTopic, userTopic } from '@gantry/contract/users/topics'
import { session } from '@gantry/contract/auth/session'
import { expect, test } from 'vitest'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'

const app = await testApp({ onlyDomains: ['auth', 'users', 'teams'] })

const roleOf = (teamId: number, userId: number) =>
  app.db
    .selectFrom('team_member')
    .select(['leader', 'role_id as roleId'])
    .where('team_id', '=', teamId)
    .where('account_id', '=', userId)
    .executeTakeFirst()
const assign = (by: TestCaller, id: number, userId: number, role: number) =>
  by.call(teams.assignRole, { params: { id, userId }, body: role })
const add = (by: TestCaller, id: number, userIds: number[]) =>
  by.call(teams.addMembers, { params: { id }, body: userIds })
const remove = (by: TestCaller, id: number, userId: number) => by.call(teams.removeMember, { params: { id, userId } })

test('an administrator creates a team and leads it', async () => {
  const made = await app.admin.call(teams.create, { body: { name: 'blue-1.x', description: 'The blues' } })
  expect(made).toMatchObject({
    name: 'blue-1.x',
    description: 'The blues',
    creator: 'admin',
    managers: ['admin'],
    userNum: 1,
  })
  await expect(app.admin.call(teams.get, { params: { id: made.id } })).resolves.toEqual(made)
  await expect(app.admin.call(teams.create, { body: { name: 'blue-1.x' } })).rejects.toMatchObject({
    status: 409,
    key: 'team-name-taken',
  })
  const { leader } = await app.team()
  await expect(leader.call(teams.create, { body: { name: 'mine' } })).rejects.toMatchObject({ status: 403 })
})

test.for(['a', 'A-team', '-a', 'a-', 'a_b', 'a b', '团队', 'x'.repeat(21)])(
  'the team name %s is refused',
  async (name) => {
    await expect(app.admin.call(teams.create, { body: { name } })).rejects.toMatchObject({
      status: 400,
      key: expect.stringMatching(/^team-name-/),
    })
  },
)

test('a leader can rename the team, a member cannot', async () => {
  const team = await app.team()
  const rename = (by: TestCaller, name: string) =>
    by.call(teams.update, { params: { id: team.id }, body: { name, description: 'new' } })
  await expect(rename(team.leader, 'renamed')).resolves.toMatchObject({
    id: team.id,
    name: 'renamed',
    description: 'new',
    updatedBy: team.leader.name,
  })
  await expect(rename(team.leader, (await app.team()).name)).rejects.toMatchObject({
    status: 409,
    key: 'team-name-taken',
  })
  await expect(rename(await team.member(), 'theirs')).rejects.toMatchObject({
    status: 403,
    key: 'permission-missing-nobody',
  })
  await expect(rename(await team.member(['team_team_edit']), 'ours')).resolves.toMatchObject({ name: 'ours' })
})

test('lists contain what the caller may see, and the tenant header neither adds nor hides a team', async () => {
  const [a, b] = [await app.team(), await app.team()]
  const dev = await a.member()
  const ids = async (by: TestCaller, headers = {}) => {
    const { items } = await by.call(teams.list, { query: { pageSize: -1 } }, headers)
    const brief = await by.call(teams.brief, { query: { pageSize: -1 } }, headers)
    expect(brief.items).toEqual(items.map(({ id, name }) => ({ id, name })))
    return items.map(({ id }) => id)
  }
  expect(await ids(dev)).toEqual([a.id])
  for (const header of [`${b.id}`, `${a.id},${b.id}`, ` ${a.id}`, '', 'x', '999999'])
    expect(await ids(dev, { 'x-tenant-id': header })).toEqual([a.id])
  expect(await ids(app.admin)).toEqual(expect.arrayContaining([a.id, b.id]))
  const input = { params: { id: b.id } }
  await expect(dev.call(teams.get, input, { 'x-tenant-id': `${a.id}` })).rejects.toMatchObject({
    status: 403,
    key: 'user-team',
  })
  await expect(dev.call(teams.get, input, { 'x-tenant-id': `${b.id}` })).rejects.toMatchObject({
    status: 403,
    key: 'user-team',
  })
  await expect(app.admin.call(teams.get, { params: { id: 2_000_000_000 } })).rejects.toMatchObject({ status: 404 })
})

test('members are listed with their roles, and other users without the members', async () => {
  const team = await app.team()
  const dev = await team.member()
  const members = await team.leader.call(teams.members, { params: { id: team.id } })
  expect(members).toMatchObject({
    totalSize: 2,
    items: [
      { id: team.leader.id, teamLeader: true, roleId: null, roleName: '' },
      { id: dev.id, teamLeader: false, roleId: expect.any(Number), roleName: `role-${dev.id}` },
    ],
  })
  const others = await team.leader.call(
    teams.others,
    { params: { id: team.id }, query: { pageSize: -1 } },
    { 'accept-language': 'zh' },
  )
  expect(others.items.map(({ id }) => id)).not.toContain(dev.id)
  expect(others.items).toContainEqual({
    id: app.admin.id,
    name: 'admin',
    email: 'admin@example.test',
    type: 'IDENTITY',
    typeName: '本地',
  })
  const found = await team.leader.call(teams.others, { params: { id: team.id }, query: { keyword: 'ADMIN@' } })
  expect(found.items.map(({ id }) => id)).toEqual([app.admin.id])
})

test('either all members are added or none', async () => {
  const team = await app.team()
  const [one, other, already] = [await app.user(), await app.user(), await team.member()]
  await expect(add(team.leader, team.id, [one.id, one.id])).rejects.toMatchObject({
    status: 400,
    key: 'team-members-double',
  })
  await expect(add(team.leader, team.id, [one.id, 2_000_000_000])).rejects.toMatchObject({
    status: 400,
    key: 'team-user-missing',
  })
  await expect(add(team.leader, team.id, [one.id, already.id])).rejects.toMatchObject({
    status: 409,
    key: 'team-members-taken',
  })
  const first = (length: number) => Array.from({ length }, (_, i) => i + 1)
  await expect(add(team.leader, team.id, first(1_001))).rejects.toMatchObject({ status: 400, key: 'list-too-long' })
  await expect(add(team.leader, team.id, first(10_001))).rejects.toMatchObject({ status: 413, key: 'body-too-large' })
  await expect(add(team.leader, team.id, [])).rejects.toMatchObject({ status: 400, key: 'list-empty' })
  expect(await roleOf(team.id, one.id)).toBeUndefined()
  await add(team.leader, team.id, [one.id, other.id])
  expect(await roleOf(team.id, other.id)).toEqual({ leader: false, roleId: null })
})

test('users are added with a role in one step if the caller may grant it, else none is added', async () => {
  const team = await app.team()
  const [one, other] = [await app.user(), await app.user()]
  const query = { roleName: 'dev', template: 'viewer' as const }
  const { id: role } = await team.leader.call(roles.create, { params: { teamId: team.id }, query })
  const addAs = (by: TestCaller, roleId: number) =>
    by.call(teams.addMembers, { params: { id: team.id }, query: { roleId }, body: [one.id, other.id] })
  const adder = await team.member(['team_member_create'])
  await expect(addAs(adder, role)).rejects.toMatchObject({ status: 403, key: 'role-grant-lacking' })
  await expect(addAs(adder, 0)).rejects.toMatchObject({ status: 403, key: 'team-leader-only' })
  await expect(addAs(team.leader, 2_000_000_000)).rejects.toMatchObject({ status: 404, key: 'role-missing' })
  expect(await roleOf(team.id, one.id)).toBeUndefined()
  await addAs(team.leader, role)
  for (const { id } of [one, other]) expect(await roleOf(team.id, id)).toEqual({ leader: false, roleId: role })
})

test('nobody raises their own role: one with more permissions is refused, and one of another team does not exist', async () => {
  const [a, b] = [await app.team(), await app.team()]
  const dev = await a.member(['team_member_edit'])
  const high = await a.member(['team_member_edit', 'team_role_edit'])
  const foreign = await b.member(['team_member_edit'])
  const before = await roleOf(a.id, dev.id)
  const highRole = (await roleOf(a.id, high.id))?.roleId ?? 0
  const foreignRole = (await roleOf(b.id, foreign.id))?.roleId ?? 0

  await expect(assign(dev, a.id, dev.id, highRole)).rejects.toMatchObject({ status: 403, key: 'role-grant-lacking' })
  await expect(assign(dev, a.id, dev.id, foreignRole)).rejects.toMatchObject({ status: 404, key: 'role-missing' })
  await expect(assign(a.leader, a.id, dev.id, foreignRole)).rejects.toMatchObject({ status: 404, key: 'role-missing' })
  await expect(assign(dev, a.id, dev.id, 0)).rejects.toMatchObject({ status: 403, key: 'team-leader-only' })
  await expect(assign(dev, a.id, a.leader.id, before?.roleId ?? 0)).rejects.toMatchObject({
    status: 403,
    key: 'team-leader-only',
  })
  expect(await roleOf(a.id, dev.id)).toEqual(before)

  await assign(high, a.id, dev.id, highRole)
  expect(await roleOf(a.id, dev.id)).toEqual({ leader: false, roleId: highRole })
})

test('the last leader cannot be removed by anybody', async () => {
  const team = await app.team()
  const dev = await team.member()
  const role = (await roleOf(team.id, dev.id))?.roleId ?? 0
  for (const by of [team.leader, app.admin]) {
    await expect(remove(by, team.id, team.leader.id)).rejects.toMatchObject({ status: 409, key: 'team-last-leader' })
    await expect(assign(by, team.id, team.leader.id, role)).rejects.toMatchObject({
      status: 409,
      key: 'team-last-leader',
    })
  }
  await assign(team.leader, team.id, dev.id, 0)
  expect(await roleOf(team.id, dev.id)).toEqual({ leader: true, roleId: null })
  await assign(dev, team.id, team.leader.id, role)
  await remove(dev, team.id, team.leader.id)
  expect(await roleOf(team.id, team.leader.id)).toBeUndefined()
})

test('of two leaders who remove each other concurrently one stays', async () => {
  const team = await app.team()
  const other = await team.member()
  await assign(team.leader, team.id, other.id, 0)
  const done = await Promise.allSettled([
    remove(team.leader, team.id, other.id),
    remove(other, team.id, team.leader.id),
  ])
  expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('a member who is removed or gets another role is refused at the next call, and open sockets learn of it', async () => {
  const team = await app.team()
  const dev = await team.member(['team_role_create'])
  const weak = await team.member()
  const makeRole = (roleName: string) => dev.call(roles.create, { params: { teamId: team.id }, query: { roleName } })
  await makeRole('first')
  await assign(team.leader, team.id, dev.id, (await roleOf(team.id, weak.id))?.roleId ?? 0)
  await expect(makeRole('second')).rejects.toMatchObject({ status: 403 })
  await remove(team.leader, team.id, dev.id)
  await expect(dev.call(teams.get, { params: { id: team.id } })).rejects.toMatchObject({
    status: 403,
    key: 'user-team',
  })
  const events = await app.db.selectFrom('outbox').select('content').where('topic', '=', 'access').execute()
  const about = events.filter(({ content }) => (content as { accountId: number }).accountId === dev.id)
  expect(about).toHaveLength(2)
})

test('only administrators delete a team, with its members and roles', async () => {
  const team = await app.team()
  const dev = await team.member()
  const gone = { params: { id: team.id } }
  const confirmed = { ...gone, query: { confirm: team.name } }
  await expect(team.leader.call(teams.remove, confirmed)).rejects.toMatchObject({ status: 403, key: 'admin-only' })
  await app.admin.call(teams.remove, confirmed)
  await expect(app.admin.call(teams.remove, confirmed)).rejects.toMatchObject({ status: 404, key: 'team-missing' })
  await expect(dev.call(teams.get, gone)).rejects.toMatchObject({ status: 403, key: 'user-team' })
  expect(await app.db.selectFrom('team_role').select('id').where('team_id', '=', team.id).execute()).toEqual([])
  const row = await app.db
    .selectFrom('audit_log')
    .select(['object', 'team_id', 'status'])
    .where('action', '=', 'team.delete')
    .where('status', '=', 200)
    .executeTakeFirst()
  expect(row).toEqual({ object: team.name, team_id: team.id, status: 200 })
})

test('a member reads the whole catalogue with what they hold in the team', async () => {
  const team = await app.team()
  const dev = await team.member(['team_role_create'])
  const permissionsOf = async (by: TestCaller, userId: number) =>
    (await by.call(session.permissions, { params: { teamId: team.id, userId } }))
      .filter(({ enable }) => enable)
      .map(({ name }) => name)
  const modules = await dev.call(session.catalogue)
  const of = (...types: string[]) =>
    modules
      .filter(({ type }) => types.includes(type))
      .flatMap(({ permissions }) => permissions.map(({ name }) => name))
      .sort()

  expect(await permissionsOf(dev, dev.id)).toEqual(['team_role_create'])
  expect(await permissionsOf(team.leader, dev.id)).toEqual(['team_role_create'])
  expect(await permissionsOf(team.leader, team.leader.id)).toEqual(of('team'))
  expect(await permissionsOf(app.admin, app.admin.id)).toEqual(of('team', 'system'))
  await expect(permissionsOf(dev, team.leader.id)).rejects.toMatchObject({ status: 403 })
  await expect(permissionsOf(team.leader, (await app.user()).id)).rejects.toMatchObject({ status: 404 })
  await expect(permissionsOf((await app.team()).leader, dev.id)).rejects.toMatchObject({
    status: 403,
    key: 'user-team',
  })
})

test('a team that owns something cannot be deleted, and the refusal names all of it', async () => {
  const team = await app.team()
  const group = await app.db
    .insertInto('pipeline_group')
    .values({ team_id: team.id, name: 'g' })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const name of ['one', 'two'])
    await app.db.insertInto('pipeline').values({ team_id: team.id, group_id: group.id, name }).execute()
  await app.db.insertInto('product').values({ team_id: team.id, name: 'p' }).execute()
  const remove = app.admin.call(
    teams.remove,
    { params: { id: team.id }, query: { confirm: team.name } },
    { 'accept-language': 'zh' },
  )
  await expect(remove).rejects.toMatchObject({
    status: 409,
    key: 'team-owns',
    message: `团队 ${team.name} 下还有 2 条流水线、1 个产品，请先删除`,
  })
})

test('a changed membership is announced to its user and to open lists of the team, of teams and of users', async () => {
  const team = await app.team()
  const one = await app.user()
  const published = async (work: () => Promise<unknown>) => {
    await app.db.deleteFrom('outbox').execute()
    await work()
    const rows = await app.db.selectFrom('outbox').select(['topic', 'content']).where('topic', '<>', 'access').execute()
    return new Map(rows.map(({ topic, content }) => [topic, content]))
  }
  const everyone = new Map<string, unknown>([
    [teamTopic.name({ teamId: team.id }), { changed: 'members' }],
    [teamsTopic.name({}), {}],
    [usersTopic.name({}), {}],
    [userTopic.name({ userId: one.id }), {}],
  ])
  expect(await published(() => add(team.leader, team.id, [one.id]))).toEqual(everyone)
  expect(await published(() => assign(team.leader, team.id, one.id, 0))).toEqual(everyone)
  expect(await published(() => remove(team.leader, team.id, one.id))).toEqual(everyone)
  const renamed = await published(() =>
    team.leader.call(teams.update, { params: { id: team.id }, body: { name: 'called-so' } }),
  )
  expect(renamed).toEqual(
    new Map<string, unknown>([
      [teamTopic.name({ teamId: team.id }), { changed: 'team' }],
      [teamsTopic.name({}), {}],
    ]),
  )
  const gone = await published(() =>
    app.admin.call(teams.remove, { params: { id: team.id }, query: { confirm: 'called-so' } }),
  )
  expect(gone.get(userTopic.name({ userId: team.leader.id }))).toEqual({})
})

test('members are listed with their picture, origin and status', async () => {
  const team = await app.team()
  const one = await team.member()
  await app.db.updateTable('account').set({ status: 'locked' }).where('id', '=', one.id).execute()
  await app.db
    .updateTable('team_member')
    .set({ granted_by: 'LDAP:1' })
    .where('team_id', '=', team.id)
    .where('account_id', '=', one.id)
    .execute()
  await app.db
    .insertInto('account_avatar')
    .values({ account_id: one.id, image: Buffer.from('x'), version: 'v1' })
    .execute()
  const { items } = await team.leader.call(teams.members, {
    params: { id: team.id },
    query: { keyword: one.name, sort: '-userName' },
  })
  expect(items).toMatchObject([{ id: one.id, avatar: 'v1', grantedBy: 'LDAP:1', state: 'locked' }])
  await expect(
    team.leader.call(teams.members, { params: { id: team.id }, query: { sort: 'password_hash' } }),
  ).rejects.toMatchObject({ status: 400 })
})
