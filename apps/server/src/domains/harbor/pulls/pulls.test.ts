import { namespaces } from '@gantry/contract/harbor/projects'
import { harbors } from '@gantry/contract/harbor/servers'
import { registries } from '@gantry/contract/images/registries'
import { mask } from '@gantry/contract/validators'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { harborApp } from '../../../../test/harbor-app.ts'
import { Fault } from '../../../kernel/fault.ts'
import { open } from '../../../kernel/secrets/secrets.ts'

const { app, simulated, port, harbor, create, assign, settle, pulls } = await harborApp()
const { push, access } = simulated

type Team = Awaited<ReturnType<typeof app.team>>

/** The credentials with which the team's clusters would pull. */
async function credential(team: Team) {
  const row = await app.db
    .selectFrom('registry')
    .select(['username', 'password'])
    .where('team_id', '=', team.id)
    .where('harbor_id', 'is not', null)
    .executeTakeFirst()
  return row && { username: row.username, password: open(app.ctx(), row.password ?? '') }
}
const mayPull = async (team: Team, repository: string, tag = '1.0') => {
  const found = await credential(team)
  return found && (await pulls(found.username, found.password, repository, tag))
}

test('a team’s robot pulls from the team’s projects and nothing else', async () => {
  const [team, other] = [await app.team(), await app.team()]
  const [mine, foreign] = [await create(), await create()]
  await assign(mine.projectId, [team.id])
  await assign(foreign.projectId, [other.id])
  for (const { name } of [mine, foreign]) await push(`${name}/web`, '1.0')
  await settle()
  expect(await mayPull(team, `${mine.name}/web`)).toBe(200)
  expect(await mayPull(team, `${foreign.name}/web`)).toBe(404)
  const { username = '', password = '' } = (await credential(team)) ?? {}
  expect(username).toMatch(/^robot\$gantry-/)
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const pushes = await fetch(`${simulated.url}/v2/${mine.name}/web/blobs/uploads/`, {
    method: 'POST',
    headers: { authorization },
  })
  expect(pushes.status).toBe(403)
  const administers = await fetch(`${simulated.url}/api/v2.0/projects`, { headers: { authorization } })
  expect(administers.status).toBe(401)
})

test('the pull right follows the assigned projects, and ends with the last one', async () => {
  const team = await app.team()
  const [first, second] = [await create(), await create()]
  for (const { name } of [first, second]) await push(`${name}/web`, '1.0')
  await assign(first.projectId, [team.id])
  await settle()
  const before = await credential(team)
  await assign(second.projectId, [team.id])
  await settle()
  expect(await credential(team)).toEqual(before)
  expect(await mayPull(team, `${second.name}/web`)).toBe(200)
  await assign(first.projectId, [])
  await settle()
  expect(await mayPull(team, `${first.name}/web`)).toBe(404)
  await assign(second.projectId, [])
  await settle()
  expect(await credential(team)).toBeUndefined()
  expect(await pulls(before?.username ?? '', before?.password ?? '', `${second.name}/web`, '1.0')).toBe(401)
  expect(await app.db.selectFrom('harbor_pull').selectAll().where('team_id', '=', team.id).execute()).toEqual([])
})

test('a project is assigned while a round locks the team’s right, and both succeed', async () => {
  const team = await app.team()
  const [first, second] = [await create(), await create()]
  await push(`${second.name}/web`, '1.0')
  await assign(first.projectId, [team.id])
  const assigning = await app.db.transaction().execute(async (tx) => {
    await tx.selectFrom('harbor_pull').selectAll().where('team_id', '=', team.id).forUpdate().execute()
    const assigned = assign(second.projectId, [team.id])
    await expect
      .poll(async () => {
        const waiting = sql<{ pid: number }>`select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return (await waiting.execute(app.db)).rows
      })
      .toHaveLength(1)
    const values = { name: 'robot', url: harbor.url, username: 'robot', password: null }
    await tx
      .insertInto('registry')
      .values({ ...values, team_id: team.id, harbor_id: harbor.id })
      .execute()
    return [assigned]
  })
  await Promise.all(assigning)
  await settle()
  expect(await mayPull(team, `${second.name}/web`)).toBe(200)
})

test('a round that is cut off before it was recorded is repeated, and leaves one robot', async () => {
  const team = await app.team()
  const { projectId, name } = await create()
  await push(`${name}/web`, '1.0')
  await assign(projectId, [team.id])
  const { putRobot } = port
  port.putRobot = async (...args) => {
    await putRobot(...args)
    throw new Error('killed')
  }
  await settle()
  expect(await credential(team)).toBeUndefined()
  port.putRobot = putRobot
  await settle()
  expect(await mayPull(team, `${name}/web`)).toBe(200)
  const answer = await fetch(`${simulated.url}/api/v2.0/robots?page_size=100`, {
    headers: { authorization: `Basic ${Buffer.from(`${access.username}:${access.password}`).toString('base64')}` },
  })
  const robots = (await answer.json()) as { name: string }[]
  expect(robots.filter((robot) => robot.name.endsWith(`-team-${team.id}`))).toHaveLength(1)
})

test('a Harbor that refuses is reported at the team’s projects until it works again', async () => {
  const team = await app.team()
  const { projectId } = await create()
  await assign(projectId, [team.id])
  const state = async () =>
    (await team.leader.call(namespaces.list, { params: { tenantId: team.id } })).items.map(({ pull, problem }) => ({
      pull,
      problem,
    }))
  const { putRobot } = port
  port.putRobot = () => Promise.reject(new Fault('badGateway', 'harbor-forbidden', { host: 'h', reason: 'no' }))
  await settle()
  expect(await state()).toMatchObject([{ pull: 'failed', problem: expect.stringContaining('does not allow') }])
  port.putRobot = putRobot
  await settle()
  expect(await state()).toEqual([{ pull: 'ready', problem: '' }])
})

test('a robot deleted in the Harbor is created again when the team synchronizes', async () => {
  const team = await app.team()
  const { projectId, name } = await create()
  await push(`${name}/web`, '1.0')
  await assign(projectId, [team.id])
  await settle()
  const pull = await app.db
    .selectFrom('harbor_pull')
    .select('robot_id')
    .where('team_id', '=', team.id)
    .executeTakeFirst()
  await port.removeRobot(access, pull?.robot_id ?? 0)
  expect(await mayPull(team, `${name}/web`)).toBe(401)
  await team.leader.call(namespaces.sync, { params: { team: team.id, harbor: harbor.id } })
  await settle()
  expect(await mayPull(team, `${name}/web`)).toBe(200)
})

test('a Harbor is a registry of the team, which the team can neither change nor delete', async () => {
  const team = await app.team()
  const { projectId } = await create()
  await assign(projectId, [team.id])
  await settle()
  const own = { params: { teamId: team.id } }
  const [registry] = await team.leader.call(registries.list, own)
  expect(registry).toMatchObject({ name: harbor.name, url: harbor.url, password: mask, harborId: harbor.id })
  const params = { teamId: team.id, registryId: registry?.id ?? 0 }
  const refused = { status: 403, key: 'images-registry-of-harbor' }
  const body = { name: 'ours', url: 'https://elsewhere.example.test' }
  await expect(team.leader.call(registries.update, { params, body })).rejects.toMatchObject(refused)
  await expect(team.leader.call(registries.remove, { params })).rejects.toMatchObject(refused)
})

test('pickers list repositories and tags of the Harbor, from the team’s projects only', async () => {
  const [team, other] = [await app.team(), await app.team()]
  const [mine, foreign] = [await create(), await create()]
  await assign(mine.projectId, [team.id])
  await assign(foreign.projectId, [other.id])
  for (const { name } of [mine, foreign]) await push(`${name}/shop/web`, '1.0')
  await push(`${mine.name}/shop/web`, '2.0')
  await settle()
  const [registry] = await team.leader.call(registries.list, { params: { teamId: team.id } })
  const params = { teamId: team.id, registryId: registry?.id ?? 0 }
  const { items } = await team.leader.call(registries.repositories, { params, query: { keyword: 'shop' } })
  expect(items).toEqual([{ name: `${mine.name}/shop/web` }])
  const repo = items[0]?.name ?? ''
  const tags = await team.leader.call(registries.tags, { params, query: { repo } })
  expect(tags.items.map(({ name }) => name).toSorted()).toEqual(['1.0', '2.0'])
  await expect(
    team.leader.call(registries.tags, { params, query: { repo: `${foreign.name}/shop/web` } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('a team only ever gets the robot’s login, never the Harbor’s account', async () => {
  const team = await app.team()
  const { projectId } = await create()
  await assign(projectId, [team.id])
  await settle()
  expect((await credential(team))?.password).not.toBe(access.password)
  await expect(team.leader.call(harbors.get, { params: { id: harbor.id } })).rejects.toMatchObject({ status: 403 })
})
