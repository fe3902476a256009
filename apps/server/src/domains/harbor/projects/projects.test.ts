import { harborContents } from '@gantry/contract/harbor/contents'
import { harborProjects, namespaces } from '@gantry/contract/harbor/projects'
import { search } from '@gantry/contract/search/search'
import { expect, test } from 'vitest'
import { harborApp } from '../../../../test/harbor-app.ts'
import { Fault } from '../../../kernel/fault.ts'

const { app, simulated, port, harbor, join, create, assign } = await harborApp()
const { push } = simulated

type Team = Awaited<ReturnType<typeof app.team>>
const ofTeam = async (team: Team, by = team.leader) =>
  (await by.call(namespaces.list, { params: { tenantId: team.id } })).items
const remove = (projectId: number) => app.admin.call(harborProjects.remove, { params: { id: harbor.id, projectId } })

test('a project is created in the Harbor, listed, and deleted while it is empty', async () => {
  const { projectId, name, teams } = await create('payments-1')
  expect(teams).toEqual([])
  const find = async (keyword: string) =>
    (await app.admin.call(harborProjects.list, { params: { id: harbor.id }, query: { keyword } })).items
  expect(await find('ments-1')).toMatchObject([{ projectId, name, public: false, repositories: 0 }])
  await expect(create(name)).rejects.toMatchObject({ status: 409, key: 'harbor-project-taken' })
  await push(`${name}/web`, '1.0')
  await expect(remove(projectId)).rejects.toMatchObject({ status: 409, key: 'image-project-not-empty' })
  const params = { id: harbor.id }
  const deleted = await app.admin.call(harborContents.removeRepositories, {
    params,
    query: { projectId },
    body: [`${name}/web`, `${name}/none`, 'other/web'],
  })
  expect(deleted.map(({ done }) => done)).toEqual([true, false, false])
  await remove(projectId)
  expect(await find(name)).toEqual([])
})

test('a project that the Harbor refuses to delete counts as not empty, whatever its count says', async () => {
  const { projectId, name } = await create()
  await push(`${name}/web`, '1.0')
  const { project } = port
  port.project = async (...args) => ({ ...(await project(...args)), repositories: 0 })
  await expect(remove(projectId)).rejects.toMatchObject({ status: 409, key: 'image-project-not-empty' })
  port.project = project
})

test.each([
  ['abc', 'harbor-project-length'],
  ['a'.repeat(31), 'harbor-project-length'],
  ['Payments', 'harbor-project-format'],
  ['-payments', 'harbor-project-format'],
  ['payments_', 'harbor-project-format'],
  ['pay.ments', 'harbor-project-format'],
])('the name %s of a project is refused', async (name, key) => {
  const refused = await create(name).catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 400, problems: [expect.objectContaining({ key })] })
})

test('a project is made public or private, and no other value is accepted', async () => {
  const { projectId, name } = await create()
  const set = (value: string) =>
    app.admin.call(harborProjects.publicity, {
      params: { id: harbor.id, projectId },
      query: { public: value as 'true' },
    })
  const isPublic = async () =>
    (await app.admin.call(harborProjects.list, { params: { id: harbor.id }, query: { keyword: name } })).items[0]
      ?.public
  await set('true')
  expect(await isPublic()).toBe(true)
  await set('false')
  expect(await isPublic()).toBe(false)
  await expect(set('maybe')).rejects.toMatchObject({ status: 400 })
})

test('a team sees the projects that are assigned to it, and no others', async () => {
  const [team, other] = [await app.team(), await app.team()]
  const { projectId, name } = await create()
  const assigned = await assign(projectId, [team.id])
  expect(assigned.teams).toMatchObject([{ id: team.id }])
  expect(await ofTeam(team)).toMatchObject([{ name, projectId, harborId: harbor.id, pull: 'pending' }])
  expect(await ofTeam(other)).toEqual([])
  const inHarbor = (by: Team) => by.leader.call(harborProjects.ofTeam, { params: { id: harbor.id, teamId: by.id } })
  expect(await inHarbor(team)).toMatchObject([{ name }])
  await expect(inHarbor(other)).rejects.toMatchObject({ status: 404 })
  const found = async (by: Team) =>
    (await by.leader.call(search.find, { query: { keyword: name } })).items.filter(
      ({ kind }) => kind === 'harbor-project',
    )
  expect(await found(team)).toMatchObject([{ name, team: { id: team.id }, place: { projectId } }])
  expect(await found(other)).toEqual([])
  await expect(assign(projectId, [2_147_483_000])).rejects.toMatchObject({ status: 404 })
  await expect(assign(999_999, [team.id])).rejects.toMatchObject({ status: 404, key: 'resource-missing' })
})

test('another team’s, an unassigned and an unknown project are all the same 404', async () => {
  const [team, other] = [await app.team(), await app.team()]
  const [mine, foreign, nobodys] = [await create(), await create(), await create()]
  await assign(mine.projectId, [team.id])
  await assign(foreign.projectId, [other.id])
  await push(`${foreign.name}/web`, '1.0')
  const read = (projectId: number) =>
    team.leader.call(harborContents.repositories, { params: { id: harbor.id, projectId } })
  const refusals: unknown[] = []
  for (const id of [foreign.projectId, nobodys.projectId, 999_999])
    refusals.push(await read(id).catch((error: unknown) => error))
  expect(refusals[0]).toMatchObject({ status: 404, key: 'resource-missing' })
  expect(refusals.map(String)).toEqual(refusals.map(() => String(refusals[0])))
  const repo = `${foreign.name}/web`
  await expect(
    team.leader.call(harborContents.layer, { params: { id: harbor.id }, query: { repo, tag: '1.0' } }),
  ).rejects.toMatchObject({ status: 404 })
  // a repository of another project, with the number of one's own
  await expect(
    team.leader.call(harborContents.tags, { params: { id: harbor.id }, query: { repo, projectId: mine.projectId } }),
  ).rejects.toMatchObject({ status: 400, key: 'harbor-outside-project' })
  const elsewhere = await join()
  await expect(
    team.leader.call(harborContents.repositories, { params: { id: elsewhere.id, projectId: mine.projectId } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('synchronizing reads a team’s projects again, and drops those that the Harbor no longer has', async () => {
  const team = await app.team()
  const [kept, gone] = [await create(), await create()]
  for (const { projectId } of [kept, gone]) await assign(projectId, [team.id])
  await push(`${kept.name}/web`, '1.0')
  await port.removeProject(simulated.access, gone.projectId)
  const params = { team: team.id, harbor: harbor.id }
  expect(await team.leader.call(namespaces.sync, { params })).toMatchObject([{ name: kept.name, repositories: 1 }])
  expect((await ofTeam(team)).map(({ name }) => name)).toEqual([kept.name])
})

test('a Harbor that does not answer keeps the team’s projects, and is named beside the repositories of the others', async () => {
  const team = await app.team()
  const elsewhere = await join()
  const [here, there] = [await create(), await create(undefined, elsewhere.id)]
  await assign(here.projectId, [team.id])
  await assign(there.projectId, [team.id], elsewhere.id)
  await push(`${here.name}/web`, '1.0')
  const { repositories } = port
  port.repositories = (access, project, listing) =>
    project === there.name
      ? Promise.reject(new Fault('unavailable', 'outbound-timeout', { host: 'harbor.test', seconds: 5 }))
      : repositories(access, project, listing)
  const found = await team.leader.call(namespaces.repos, { params: { teamId: team.id } })
  port.repositories = repositories
  expect(found.items).toMatchObject([{ name: `${here.name}/web`, harborId: harbor.id }])
  expect(found.silent).toMatchObject([{ name: elsewhere.name }])
  expect((await ofTeam(team)).length).toBe(2)
})

test('a project that a team gives back is no longer listed, and its images stay', async () => {
  const team = await app.team()
  const { projectId, name } = await create()
  await assign(projectId, [team.id])
  await push(`${name}/web`, '1.0')
  const [namespace] = await ofTeam(team)
  const give = () =>
    team.leader.call(namespaces.remove, { params: { tenantId: team.id, namespaceId: namespace?.id ?? 0 } })
  await give()
  expect(await ofTeam(team)).toEqual([])
  await expect(give()).rejects.toMatchObject({ status: 404 })
  const { items } = await app.admin.call(harborContents.repositories, { params: { id: harbor.id, projectId } })
  expect(items.map((row) => row.name)).toEqual([`${name}/web`])
})
