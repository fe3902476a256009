import { stepProtocol } from '@gantry/contract/agents/step-protocol'
import { builds } from '@gantry/contract/pipelines/builds'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { services } from '@gantry/contract/stacks/services'
import { tokens } from '@gantry/contract/tokens/tokens'
import { en } from '@gantry/phrases/permissions/en'
import { beforeAll, expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../test/build-agent.ts'
import { testApp } from '../../../test/test-app.ts'
import { jsonb } from '../../db/json.ts'
import { seal } from '../../kernel/secrets/secrets.ts'
import { insertRegistry } from '../images/registries.store.ts'

const app = await testApp()
let team: Awaited<ReturnType<typeof app.team>>
let stack: { id: number; uuid: string; envId: string }
let registryId = 0

beforeAll(async () => {
  team = await app.team()
  const address = JSON.stringify({ server: 'https://127.0.0.1:1', auth: { kind: 'token', token: 'x' } })
  const { uuid: envId } = await app.db
    .insertInto('environment')
    .values({ name: 'away', server: 'https://127.0.0.1:1', address: seal(app.ctx(), address) })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  await app.db.insertInto('environment_team').values({ environment: envId, team_id: team.id }).execute()
  const made = await app.db
    .insertInto('stack')
    .values({ team_id: team.id, environment: envId, name: 'shop', namespace: 'shop', actor: 'x', state: 'running' })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  stack = { ...made, envId }
  const registry = { name: 'images', url: 'https://registry.example.test', username: '', password: null }
  registryId = (await insertRegistry(app.db, { ...registry, teamId: team.id, sandbox: false })) ?? 0
})

type Caller = typeof team.leader

/** Triggers a build and has an agent take it. */
async function takenBy(caller: Caller, service: string, step: { confirm?: boolean } = {}, token?: string) {
  const deploy: StepInput = { type: 'deploy', name: 'deploy', stackUuid: stack.uuid, service, create: {}, ...step }
  const pipeline = await testPipeline(app, team, [{ type: 'script', name: 'make', run: 'true' }, deploy])
  const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` }
  await caller.call(builds.trigger, { params: { id: pipeline.id }, body: {} }, headers)
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const [work] = (await agent.claim(1)).work
  if (!work) throw new Error('nothing was claimed')
  return { pipeline, agent, work }
}

/** Reports the pushed image of a taken build, and returns the agent's call for its deploy step. */
async function pushed({ agent, work: { jobId, attempt } }: Awaited<ReturnType<typeof takenBy>>, service: string) {
  const image = { image: 'registry.example.test/web', tag: '1', digest: `sha256:${service}`, size: 1, registryId }
  await agent.events({ jobId, attempt }, 1, [{ type: 'image', step: 0, ...image }])
  return () => agent.caller.call(stepProtocol.deploy, { params: { jobId, step: 1 }, query: { attempt } })
}

/** Triggers a build that has pushed its image, and returns the outcome of its deploy step. */
const triggeredBy = async (caller: Caller, service: string, ...more: [{ confirm?: boolean }?, string?]) =>
  pushed(await takenBy(caller, service, ...more), service)
const deployedBy = async (...build: Parameters<typeof triggeredBy>) => (await triggeredBy(...build))()

const refused = (permission: 'stack_service_create' | 'stack_service_edit' | 'stack_service_operate') => ({
  state: 'failed',
  log: [
    expect.stringMatching(
      new RegExp(`^refused: .*${en[`permission.${permission}`]}.*${team.leader.name}`, 's'),
    ) as string,
  ],
  reason: { vars: { permission } },
})
const exists = async (name: string) => {
  const params = { teamId: team.id, envId: stack.envId, uuid: stack.uuid }
  return (await team.leader.call(services.list, { params, query: { search: name } })).items.length > 0
}

test('a deploy step has the permissions of the user who triggered the build', async () => {
  const builder = await team.member(['pipeline_pipeline_view', 'pipeline_build_execute'])
  expect(await deployedBy(builder, 'web')).toMatchObject(refused('stack_service_create'))
  expect(await exists('web')).toBe(false)

  const maker = await team.member(['pipeline_build_execute', 'stack_service_create'])
  expect(await deployedBy(maker, 'web')).toMatchObject({ state: 'running', reason: null })
  expect(await exists('web')).toBe(true)
  expect(await deployedBy(maker, 'web', { confirm: false })).toMatchObject(refused('stack_service_edit'))

  const editor = await team.member(['pipeline_build_execute', 'stack_service_edit'])
  expect(await deployedBy(editor, 'web')).toMatchObject(refused('stack_service_operate'))
  expect(await deployedBy(editor, 'web', { confirm: false })).toMatchObject({ state: 'running' })
})

test('an API token that may trigger builds deploys only with the permission to deploy', async () => {
  const tokenFor = async (alias: string, permissions: string[]) => {
    const params = { teamId: team.id, alias }
    return (await team.leader.call(tokens.create, { params, body: { permissions } })).token
  }
  const builder = await tokenFor('ci', ['pipeline_build_execute'])
  expect(await deployedBy(app.anonymous, 'api', {}, builder)).toMatchObject({
    state: 'failed',
    log: [expect.stringContaining('ci') as string],
    reason: { key: 'permission-missing-token', vars: { permission: 'stack_service_create' } },
  })
  const deployer = await tokenFor('cd', ['pipeline_build_execute', 'stack_service_create'])
  expect(await deployedBy(app.anonymous, 'api', {}, deployer)).toMatchObject({ state: 'running' })
})

test('a user who has left the team deploys nothing', async () => {
  const left = await team.member(['pipeline_build_execute', 'stack_service_create'])
  const deploy = await triggeredBy(left, 'late')
  await app.db.deleteFrom('team_member').where('account_id', '=', left.id).execute()
  expect(await deploy()).toMatchObject({ state: 'failed', reason: { key: 'user-team' } })
  expect(await exists('late')).toBe(false)
})

test('a retry deploys again what has failed, once per attempt however often the agent calls', async () => {
  const taken = await takenBy(team.leader, 'again')
  const { agent, pipeline, work } = taken
  const first = await pushed(taken, 'again')
  expect(await first()).toMatchObject({ state: 'running' })
  const ofService = () => app.db.selectFrom('service').select(['id', 'revision']).where('name', '=', 'again')
  const { id } = await ofService().executeTakeFirstOrThrow()
  // as if the deployment had failed in the cluster
  await app.db.updateTable('service').set({ state: 'failed' }).where('id', '=', id).execute()
  expect(await first()).toMatchObject({ state: 'failed' })
  await agent.events(work, 2, [{ type: 'end', state: 'failed', logs: [] }])

  const params = { id: pipeline.id, number: 1 }
  await team.leader.call(builds.retry, { params, body: { from: 'failed' } })
  const [again] = (await agent.claim(1)).work
  if (!again) throw new Error('nothing was claimed')
  const second = await pushed({ ...taken, work: again }, 'again')
  for (const answer of await Promise.all([second(), second()])) expect(answer).toMatchObject({ state: 'running' })
  expect((await ofService().executeTakeFirstOrThrow()).revision).toBe(2)
})

test('a waiting stage lists the shared services that it would change', async () => {
  await deployedBy(team.leader, 'used')
  const deploy = (service: string): StepInput => ({ type: 'deploy', name: service, stackUuid: stack.uuid, service })
  const { id } = await testPipeline(
    app,
    team,
    [],
    [{ name: 'ship', mode: 'manual', steps: [deploy('used'), deploy('not-there-yet')] }],
  )
  const { number } = await team.leader.call(builds.trigger, { params: { id }, body: {} })
  const build = await team.leader.call(builds.get, { params: { id, number } })
  expect(build.stages[0]?.gate?.deploys).toEqual([{ stack: 'shop', service: 'used' }])
})

test('a waiting stage with a chart or a blueprint lists every service of the stack', async () => {
  const made = await app.db
    .insertInto('stack')
    .values({ team_id: team.id, environment: stack.envId, name: 'all', namespace: 'all', actor: 'x', state: 'running' })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  const service = { spec: jsonb({}), actor: 'x', stack_id: made.id }
  await app.db
    .insertInto('service')
    .values([
      { ...service, name: 'used', state: 'stable' },
      { ...service, name: 'going', state: 'deleting' },
    ])
    .execute()
  const chart = { chart: 'postgres', version: '1.0.0' }
  await app.db
    .insertInto('helm_release')
    .values({ ...chart, state: 'deployed', actor: 'x', stack_id: made.id, name: 'database' })
    .execute()
  const { id: product_id } = await app.db
    .insertInto('product')
    .values({ team_id: team.id, name: 'all' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const template = { template: '', tosca_version: '', service_num: 1, description: '', updated_by: 'x' }
  const { id: blueprintId } = await app.db
    .insertInto('blueprint')
    .values({ ...template, team_id: team.id, product_id, version: '1' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: repositoryId } = await app.db
    .insertInto('helm_repository')
    .values({ name: 'charts', url: 'https://charts.example.test', kind: 'http', username: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.db.insertInto('helm_repository_team').values({ repository_id: repositoryId, team_id: team.id }).execute()
  const at = { name: 'go', stackUuid: made.uuid }
  const deployed = async (step: StepInput) => {
    const { id } = await testPipeline(app, team, [], [{ name: 'ship', mode: 'manual', steps: [step] }])
    const { number } = await team.leader.call(builds.trigger, { params: { id }, body: {} })
    const build = await team.leader.call(builds.get, { params: { id, number } })
    return build.stages[0]?.gate?.deploys.map((one) => `${one.stack}/${one.service}`)
  }
  const helm = { type: 'helm' as const, ...at, ...chart, repositoryId }
  expect(await deployed({ type: 'blueprint', ...at, blueprintId })).toEqual(['all/used'])
  expect(await deployed({ ...helm, release: 'database' })).toEqual(['all/database'])
  expect(await deployed({ ...helm, release: 'not-there-yet' })).toEqual([])
})
