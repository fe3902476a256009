import { decisionsTopic } from '@gantry/contract/decisions/topics'
import { pushPath } from '@gantry/contract/push/path'
import { teamsTopic, teamTopic } from '@gantry/contract/teams/topics'
import { usersTopic } from '@gantry/contract/users/topics'
import { teams } from '@gantry/contract/teams/teams'
import { users } from '@gantry/contract/users/users'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { socketClient } from '../../../../test/socket-client.ts'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'
import { hashToken, newToken } from '../../../identity/sessions.ts'
import { removeUsers } from './removal.service.ts'

const app = await testApp({ onlyDomains: ['auth', 'users', 'teams', 'pipelines', 'push'] })
const client = await socketClient(app)
const [teamA, teamB] = [await app.team(), await app.team()]

const remove = (by: TestCaller, ids: number[]) => by.call(users.removeMany, { body: ids })
const exists = async (id: number) =>
  (await app.db.selectFrom('account').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

test('only administrators approve, ban and delete, and the refusal reveals nothing about the user', async () => {
  const dev = await teamA.member()
  const stranger = await teamB.member()
  for (const by of [dev, teamA.leader]) {
    const refused = await Promise.all(
      [stranger.id, app.admin.id, dev.id, 2_000_000_000].flatMap((id) => [
        by.request(users.remove, { params: { id } }),
        by.request(users.approve, { params: { id }, query: { enable: 'true' } }),
        by.request(users.approve, { params: { id }, query: { enable: 'false' } }),
        by.request(users.resetPassword, { params: { id } }),
        by.request(users.removeMany, { body: [id] }),
      ]),
    )
    expect(new Set(refused.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    expect(refused[0]?.json()).toMatchObject({ code: 403, message: 'admin-only' })
  }
  expect(await exists(stranger.id)).toBe(true)
})

test('a list with oneself, an unknown user, a duplicate or too many is refused as a whole', async () => {
  const [one, other] = [await app.user(), await app.user()]
  const refused = (ids: number[], key: string, status: number) =>
    expect(remove(app.admin, [one.id, ...ids])).rejects.toMatchObject({ key, status })
  await refused([other.id, app.admin.id], 'user-delete-self', 409)
  await refused([2_000_000_000, 2_000_000_001], 'user-list-unknown', 400)
  await refused([other.id, one.id], 'user-list-double', 400)
  const many = (length: number) => Array.from({ length }, (_, at) => at + 1_000_000)
  await refused(many(1_000), 'list-too-long', 400)
  await refused(many(10_000), 'body-too-large', 413)
  await expect(remove(app.admin, [])).rejects.toMatchObject({ key: 'list-empty', status: 400 })
  await expect(app.admin.call(users.remove, { params: { id: 2_000_000_000 } })).rejects.toMatchObject({
    key: 'user-missing',
    status: 404,
  })
  expect([await exists(one.id), await exists(other.id)]).toEqual([true, true])
  await remove(app.admin, [one.id, other.id])
  expect([await exists(one.id), await exists(other.id)]).toEqual([false, false])
})

test('the last administrator stays: of two who delete each other one succeeds', async () => {
  const [one, other] = [await app.user({ admin: true }), await app.user({ admin: true })]
  await app.db.updateTable('account').set({ admin: false }).where('id', 'not in', [one.id, other.id]).execute()
  const done = await Promise.allSettled([remove(one, [other.id]), remove(other, [one.id])])
  expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect([await exists(one.id), await exists(other.id)].sort()).toEqual([false, true])
  await app.db.updateTable('account').set({ admin: true }).where('id', '=', app.admin.id).execute()
})

test('an administrator who cannot log in does not count', async () => {
  const [banned, working] = [await app.user({ admin: true }), await app.user({ admin: true })]
  await app.db.updateTable('account').set({ status: 'disabled' }).where('id', '=', banned.id).execute()
  await app.db.updateTable('account').set({ admin: false }).where('id', 'not in', [banned.id, working.id]).execute()
  // the product itself has no account that it could not delete
  await expect(removeUsers(app.ctx(), [working.id])).rejects.toMatchObject({ key: 'user-last-admin' })
  await expect(removeUsers(app.ctx(), [banned.id])).resolves.toBeNull()
  await app.db.updateTable('account').set({ admin: true }).where('id', '=', app.admin.id).execute()
})

test('a team keeps its last leader, and the refusal names the team', async () => {
  const team = await app.team()
  const second = await team.member()
  await expect(remove(app.admin, [team.leader.id])).rejects.toMatchObject({
    status: 409,
    key: 'team-led-alone',
    message: expect.stringContaining(team.name) as string,
  })
  await team.leader.call(teams.assignRole, { params: { id: team.id, userId: second.id }, body: 0 })
  await expect(remove(app.admin, [team.leader.id, second.id])).rejects.toMatchObject({ key: 'team-led-alone' })
  await remove(app.admin, [team.leader.id])
  expect(await exists(team.leader.id)).toBe(false)
})

async function buildOf(userId: number, state: 'queued' | 'building') {
  const common = { team_id: teamA.id, name: `p-${userId}-${state}` }
  const group = await app.db.insertInto('pipeline_group').values(common).returning('id').executeTakeFirstOrThrow()
  const pipeline = await app.db
    .insertInto('pipeline')
    .values({ ...common, group_id: group.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { rows } = await sql<{ id: number }>`
    insert into build (pipeline_id, team_id, number, state, cause, user_cause, user_id, by_admin, definition, timeout_seconds)
    values (${pipeline.id}, ${teamA.id}, 1, ${state}, 'manual', 'x', ${userId}, false, '{"stages":[]}', 60) returning id`.execute(
    app.db,
  )
  const id = rows[0]?.id ?? 0
  await sql`insert into build_job (build_id, index, name, pipeline_id, team_id, by_admin, state, timeout_seconds)
    values (${id}, 0, '', ${pipeline.id}, ${teamA.id}, false, ${state}, 60)`.execute(app.db)
  return id
}

test('sessions, tokens and builds of a deleted user end, and what they created stays with its team', async () => {
  const one = await teamA.member()
  const token = newToken('api')
  await app.db
    .insertInto('api_token')
    .values({ team_id: teamA.id, account_id: one.id, alias: 'theirs', token_hash: hashToken(token) })
    .execute()
  const asToken = app.caller(one, token)
  await expect(asToken.call(teams.get, { params: { id: teamA.id } })).resolves.toMatchObject({ id: teamA.id })
  const made = await app.db
    .insertInto('team')
    .values({ name: 'made-by-one', creator_id: one.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const [queued, building] = [await buildOf(one.id, 'queued'), await buildOf(one.id, 'building')]
  const socket = await client.as(one, pushPath)

  await remove(app.admin, [one.id])
  await expect(one.call(teams.list)).rejects.toMatchObject({ status: 401 })
  await expect(asToken.call(teams.get, { params: { id: teamA.id } })).rejects.toMatchObject({ status: 401 })
  expect(await socket.ended).toBe(1008)
  const builds = await app.db
    .selectFrom('build')
    .select(['id', 'state', 'cancelled', 'user_id'])
    .where('id', 'in', [queued, building])
    .orderBy('id')
    .execute()
  expect(builds).toEqual([
    { id: queued, state: 'aborted', cancelled: true, user_id: null },
    // the agent learns of it and stops the build
    { id: building, state: 'building', cancelled: true, user_id: null },
  ])
  await expect(app.admin.call(teams.get, { params: { id: made.id } })).resolves.toMatchObject({ creator: '' })
})

test('open lists of others are updated: of users, of the team, and of teams', async () => {
  const one = await teamB.member()
  await app.db.deleteFrom('outbox').execute()
  await remove(app.admin, [one.id])
  const events = await app.db.selectFrom('outbox').select('topic').where('topic', '<>', 'access').execute()
  expect(new Set(events.map(({ topic }) => topic))).toEqual(
    new Set([
      usersTopic.name({}),
      teamTopic.name({ teamId: teamB.id }),
      teamsTopic.name({}),
      decisionsTopic.name({ scope: 'all' }),
    ]),
  )
  const row = await app.db
    .selectFrom('audit_log')
    .select(['object', 'detail'])
    .where('action', '=', 'user.delete-many')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(row?.object).toBe(one.name)
})
