import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { mask } from '@gantry/contract/validators'
import { beforeAll, describe, expect, test } from 'vitest'
import { open } from '../../../kernel/secrets/secrets.ts'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'
import { findPipeline } from './pipelines.store.ts'

const app = await testApp()
let [team, other] = [await app.team(), await app.team()]
let appId = 0

const groupIn = async (of: typeof team, name: string) =>
  (await of.leader.call(groups.create, { params: { teamId: of.id }, body: { name } })).id

const script = { type: 'script' as const, name: 'run', run: 'true' }
const document = {
  description: 'lights the harbour',
  definition: { stages: [{ name: 'all', steps: [script] }] },
  variables: [
    { name: 'TOKEN', value: 'canary-of-the-clone', secret: true },
    { name: 'MODE', value: 'fast', secret: false },
  ],
}
let made = 0
const create = (projectName = `pipeline ${++made}`, group = appId) =>
  team.leader.call(definitions.create, { body: { appId: group, projectName, ...document } })

/** The plain value of the secret variable. */
async function tokenOf(id: number): Promise<string> {
  const stored = await findPipeline(app.db, id)
  const value = stored?.variables.find(({ name }) => name === 'TOKEN')?.value ?? ''
  return value === '' ? '' : open(app.ctx(), value)
}
const clone = (by: TestCaller, uuid: number | string, body: { projectName: string; appId?: number }) =>
  by.call(pipelines.clone, { params: { uuid }, body })

beforeAll(async () => {
  ;[team, other] = [await app.team(), await app.team()]
  appId = await groupIn(team, 'shop')
})

describe('a clone of a pipeline', () => {
  test('has the same document including secrets, and its own revision', async () => {
    const source = await create()
    const made = await clone(team.leader, source.uuid, { projectName: 'the clone' })
    expect(made).toMatchObject({ appId, projectName: 'the clone', description: document.description })
    expect(made.id).not.toBe(source.id)
    expect(await tokenOf(made.id)).toBe('canary-of-the-clone')
    const params = { appId, pipelineId: made.id }
    expect(await team.leader.call(definitions.get, { params })).toMatchObject({ revision: 1, stages: [{}] })
    expect((await team.leader.call(pipelines.setting, { params })).variables[0]?.value).toBe(mask)
  })

  test('has no secrets in another team', async () => {
    const { leader } = team
    await app.db.insertInto('team_member').values({ team_id: other.id, account_id: leader.id, leader: true }).execute()
    const source = await create()
    const elsewhere = await groupIn(other, 'theirs')
    const made = await clone(leader, source.id, { projectName: 'abroad', appId: elsewhere })
    expect(made).toMatchObject({ teamId: other.id, appId: elsewhere })
    expect(await tokenOf(made.id)).toBe('')
  })

  test('is refused if its name is taken, or if its group is of a team that the caller is not in', async () => {
    const source = await create()
    await expect(clone(team.leader, source.id, { projectName: source.projectName })).rejects.toMatchObject({
      status: 409,
      key: 'pipelines-name-taken',
    })
    const stranger = await app.team()
    const foreign = await groupIn(stranger, 'foreign')
    for (const group of [foreign, 2_000_000_000])
      await expect(clone(team.leader, source.id, { projectName: 'x', appId: group })).rejects.toMatchObject({
        status: 404,
      })
    await expect(clone(stranger.leader, source.id, { projectName: 'x', appId: foreign })).rejects.toMatchObject({
      status: 404,
    })
  })

  test('needs the permission to edit the original, because that allows printing its secrets', async () => {
    const source = await create()
    const member = await team.member(['pipeline_pipeline_create', 'pipeline_pipeline_view'])
    await expect(clone(member, source.id, { projectName: 'mine' })).rejects.toMatchObject({ status: 403 })
  })
})

describe('a clone of a group', () => {
  const cloneGroup = (uuid: number, body: { name: string; suffix?: string; teamId?: number }) =>
    team.leader.call(pipelines.cloneGroup, { params: { uuid }, body })

  test('has the variables and all pipelines, each under a new name', async () => {
    const group = await groupIn(team, 'pair')
    const variables = [{ name: 'SHARED', value: 'canary-of-the-group', secret: true }]
    await team.leader.call(groups.setVariables, { params: { id: group }, body: { globalEnvs: variables } })
    const one = await create('one', group)
    await create('two', group)
    const made = await cloneGroup(one.id, { name: 'pair again', suffix: '-again' })
    expect(made).toMatchObject({ teamId: team.id, name: 'pair again', pipelineNum: 2 })
    const query = { groupId: made.id, pageSize: 10 }
    const { items } = await team.leader.call(pipelines.list, { params: { teamId: team.id }, query })
    expect(items.map(({ projectName }) => projectName)).toEqual(['one-again', 'two-again'])
    for (const { id } of items) expect(await tokenOf(id)).toBe('canary-of-the-clone')
    const copied = await team.leader.call(groups.variables, { params: { id: made.id } })
    expect(copied.variables).toEqual([{ name: 'SHARED', value: mask, secret: true }])
  })

  test('is refused as a whole if one name is taken or too long', async () => {
    const group = await groupIn(team, 'refused')
    const one = await create('first of the refused', group)
    await create('second of the refused', group)
    await create('second of the refused-2', group)
    await expect(cloneGroup(one.id, { name: 'refused 2', suffix: '-2' })).rejects.toMatchObject({ status: 409 })
    await expect(cloneGroup(one.id, { name: 'refused 2', suffix: ' that is too long' })).rejects.toMatchObject({
      status: 400,
      key: 'pipelines-clone-name-too-long',
    })
    const { items } = await team.leader.call(groups.list, { params: { teamId: team.id }, query: { pageSize: -1 } })
    expect(items.map(({ name }) => name)).not.toContain('refused 2')
  })

  test('has no secrets in another team, and is 404 in a team that the caller is not in', async () => {
    const { leader } = team
    const target = await app.team()
    const group = await groupIn(team, 'leaving')
    await leader.call(groups.setVariables, {
      params: { id: group },
      body: { variables: [{ name: 'SHARED', value: 'canary-of-the-group', secret: true }] },
    })
    const one = await create('leaving one', group)
    await expect(cloneGroup(one.id, { name: 'g', teamId: target.id })).rejects.toMatchObject({ status: 404 })
    await app.db.insertInto('team_member').values({ team_id: target.id, account_id: leader.id, leader: true }).execute()
    const made = await cloneGroup(one.id, { name: 'g', teamId: target.id })
    const copied = await leader.call(groups.variables, { params: { id: made.id } })
    expect(copied.variables).toEqual([{ name: 'SHARED', value: '', secret: true }])
  })
})

describe('a pipeline that moves to another group', () => {
  test('keeps everything else, and its old path is 404', async () => {
    const pipeline = await create()
    const target = await groupIn(team, 'target')
    const params = { appId, pipelineId: pipeline.id }
    const setting = await team.leader.call(pipelines.setting, { params })
    const { revision } = await team.leader.call(pipelines.setSetting, { params, body: { ...setting, appId: target } })
    expect(revision).toBe(2)
    await expect(team.leader.call(pipelines.setting, { params })).rejects.toMatchObject({ status: 404 })
    const there = { appId: target, pipelineId: pipeline.id }
    expect(await team.leader.call(pipelines.setting, { params: there })).toEqual({ ...setting, revision: 2 })
    expect(await tokenOf(pipeline.id)).toBe('canary-of-the-clone')
  })

  test('is refused another team’s group like a missing one', async () => {
    const pipeline = await create()
    const foreign = await groupIn(other, 'not yours')
    const params = { appId, pipelineId: pipeline.id }
    const setting = await team.leader.call(pipelines.setting, { params })
    for (const group of [foreign, 2_000_000_000])
      await expect(
        team.leader.call(pipelines.setSetting, { params, body: { ...setting, appId: group } }),
      ).rejects.toMatchObject({ status: 404, key: 'resource-missing' })
  })
})

test('the variables of a pipeline can be set on their own, under either name', async () => {
  const pipeline = await create()
  const params = { id: pipeline.id }
  const globalEnvs = [
    { name: 'TOKEN', value: mask, secret: true },
    { name: 'NEW', value: '1', secret: false },
  ]
  expect(await team.leader.call(pipelines.setVariables, { params, body: { globalEnvs } })).toEqual({
    globalEnvs,
    revision: 2,
  })
  expect(await tokenOf(pipeline.id)).toBe('canary-of-the-clone')
  for (const body of [{}, { globalEnvs, variables: globalEnvs }])
    await expect(team.leader.call(pipelines.setVariables, { params, body })).rejects.toMatchObject({
      status: 400,
      key: 'global-envs-once',
    })
})

test('administrators list the groups of all teams, by team or group', async () => {
  const [a, b] = [await app.team('aa-north'), await app.team('aa-south')]
  await groupIn(a, 'quay')
  await groupIn(b, 'pier')
  const found = async (keyword: string) =>
    (await app.admin.call(groups.all, { query: { keyword } })).items.map((one) => [one.teamName, one.name])
  expect(await found('aa-')).toEqual([
    ['aa-north', 'quay'],
    ['aa-south', 'pier'],
  ])
  expect(await found('pier')).toEqual([['aa-south', 'pier']])
  await expect(a.leader.call(groups.all)).rejects.toMatchObject({ status: 403 })
})

test('a group can be changed only under its own team', async () => {
  const id = await groupIn(team, 'of us')
  const change = (teamId: number) =>
    team.leader.call(groups.update, { params: { id }, query: { teamId }, body: { name: 'renamed' } })
  await expect(change(other.id)).rejects.toMatchObject({ status: 404 })
  expect(await change(team.id)).toMatchObject({ name: 'renamed' })
})
