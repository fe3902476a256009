import { stepProtocol } from '@gantry/contract/agents/step-protocol'
import { builds } from '@gantry/contract/pipelines/builds'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { Parameter } from '@gantry/contract/pipelines/parameters'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { reviews } from '@gantry/contract/pipelines/reviews'
import { triggers } from '@gantry/contract/pipelines/triggers'
import { beforeAll, describe, expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { commit, gitHub, pullRequest } from '../../../../test/forge-reports.ts'
import { testApp } from '../../../../test/test-app.ts'
import { insertRegistry } from '../../images/registries.store.ts'
import { fireFollowers } from '../triggers/triggers.jobs.ts'
import { triggerBuild } from './builds.service.ts'

const app = await testApp()
let team: Awaited<ReturnType<typeof app.team>>
let registryId: number
beforeAll(async () => {
  team = await app.team()
  const registry = { name: 'harbour', url: 'https://registry.example.test', username: 'robin', password: null }
  registryId = (await insertRegistry(app.db, { ...registry, teamId: team.id, sandbox: false })) ?? 0
})

const stackUuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const ownTypes = ['script', 'report', 'artifact', 'cache'] as const
const steps = (): StepInput[] => [
  { type: 'script', name: 'script', run: 'true' },
  { type: 'report', name: 'report', files: '*.xml' },
  { type: 'artifact', name: 'artifact', files: '*' },
  { type: 'cache', name: 'cache', key: 'k', paths: ['node_modules'] },
  { type: 'script', name: 'on main', run: 'true', when: { branches: ['main'] } },
  { type: 'image', name: 'image', registryId, repository: 'web' },
  { type: 'copy', name: 'copy', fromRegistryId: registryId, from: 'web:1', registryId, repository: 'web' },
  { type: 'deploy', name: 'deploy', stackUuid, service: 'web' },
  { type: 'helm', name: 'helm', stackUuid, release: 'web', repositoryId: 1, chart: 'web', version: '1.0.0' },
  { type: 'blueprint', name: 'blueprint', stackUuid, blueprintId: 1 },
  { type: 'http', name: 'http', url: 'https://hook.example.test' },
  { type: 'mail', name: 'mail', to: ['ada@example.test'], subject: 'Done', text: 'Done' },
  { type: 'code-quality', name: 'quality', gate: { bugs: 0 } },
]
const script: StepInput[] = [{ type: 'script', name: 'only', run: 'true' }]
const left = ['image', 'copy', 'deploy', 'helm', 'blueprint', 'http', 'mail', 'quality']

/** A pipeline with secrets and all types of steps. Its trigger accepts forks, which wait unless `forksWait` is off. */
async function forPipeline(rule: { forksWait?: boolean } = {}, some = steps()) {
  const pipeline = await testPipeline(app, team, some)
  const at = { params: { appId: pipeline.appId, pipelineId: pipeline.id } }
  const { revision: _, ...setting } = await team.leader.call(pipelines.setting, at)
  const variables = [
    { name: 'TOKEN', value: 'the token', secret: true },
    { name: 'MODE', value: 'fast', secret: false },
  ]
  const parameters = [Parameter.parse({ name: 'CODE', kind: 'secret', defaultValue: 'the code' })]
  await team.leader.call(pipelines.setSetting, { ...at, body: { ...setting, variables, parameters } })
  const params = { id: pipeline.id }
  const { secret } = await team.leader.call(triggers.create, {
    params,
    body: { rule: { kind: 'webhook', events: ['mergeRequest'], forks: true, ...rule } },
  })
  /** A merge request of the fork's branch `main`. */
  const request = async (number = 12) => {
    const report = gitHub(secret, 'pull_request', pullRequest('opened', { fork: true, source: 'main', number }))
    const answer = await app.anonymous.raw({
      method: 'POST',
      url: `/api/v2/pipelines/${pipeline.uuid}/trigger`,
      ...report,
    })
    return answer.json<{ data: { number: number } }>().data.number
  }
  const read = (number: number) => team.leader.call(builds.get, { params: { ...params, number } })
  const agent = (how: { isolated?: boolean } = {}) => testAgent(app, { labels: [pipeline.projectName], ...how })
  return { pipeline, params, request, read, agent }
}

describe('the build of a fork’s merge request', () => {
  test('gets no secret, no credential and no branch, and leaves out the steps that need them', async () => {
    const { params, request, read, agent } = await forPipeline({ forksWait: false })
    const number = await request()
    const [work] = (await (await agent()).claim()).work
    const environment = Object.fromEntries((work?.environment ?? []).map(({ name, value }) => [name, value]))
    expect(environment).toMatchObject({ MODE: 'fast', GANTRY_BRANCH: '', GANTRY_MERGE_REQUEST: '12' })
    expect(environment).toMatchObject({ GANTRY_MERGE_REQUEST_SOURCE: 'main', GANTRY_MERGE_REQUEST_TARGET: 'main' })
    expect(JSON.stringify(work)).not.toMatch(/the token|the code|robin/)
    expect(work).toMatchObject({ registries: [], masked: [] })
    const runs = steps().flatMap(({ name }, at) => (work?.conditions[at] ? [name] : []))
    expect(runs).toEqual([...ownTypes])
    const build = await read(number)
    // a list must not show the fork's branch as the repository's own
    const [listed] = (await team.leader.call(builds.list, { params })).items
    expect(listed).toMatchObject({ number, branch: 'main', fork: true })
    expect(build.mergeRequest).toEqual({ number: 12, source: 'main', target: 'main', fork: true })
    const said = build.stages.flatMap((stage) => stage.steps).filter(({ message }) => message !== '')
    expect(said.map(({ name }) => name)).toEqual(left)
    for (const { message } of said) expect(message).toContain('a fork’s merge request, which gets no credentials')
    expect(await team.leader.call(builds.withheld, { params: { ...params, number } })).toEqual({
      secrets: 2,
      registries: ['harbour'],
      artifacts: false,
      steps: left,
    })
  })

  test('tells its agent to give credentials to nothing that the fork names', async () => {
    const { pipeline, request, agent } = await forPipeline({ forksWait: false }, script)
    await request()
    const url = 'https://git.example.test/demo/hello.git'
    await app.db.updateTable('pipeline').set({ repository_url: url }).where('id', '=', pipeline.id).execute()
    const [work] = (await (await agent()).claim()).work
    expect(work?.repository).toMatchObject({ url, fork: true })
  })

  test('is refused what it leaves out by the server, whatever its agent requests', async () => {
    const { request, agent } = await forPipeline({ forksWait: false })
    await request()
    const asking = await agent()
    const [work] = (await asking.claim()).work
    if (!work) throw new Error('nothing was claimed')
    const at = (name: string) => ({
      params: { jobId: work.jobId, step: steps().findIndex((step) => step.name === name) },
      query: { attempt: work.attempt },
    })
    const { caller } = asking
    const requests = [
      () => caller.call(stepProtocol.registryToken, at('image')),
      () => caller.call(stepProtocol.registryToken, at('copy')),
      () => caller.call(stepProtocol.deploy, at('deploy')),
      () => caller.call(stepProtocol.codeQuality, at('quality')),
      ...['helm', 'blueprint', 'http', 'mail'].map(
        (name) => () => caller.call(stepProtocol.serve, { ...at(name), body: { texts: {} } }),
      ),
    ]
    for (const ask of requests) await expect(ask()).rejects.toMatchObject({ status: 404 })
  })

  test('waits until somebody who may start builds approves it, possibly the user who saved the trigger', async () => {
    const { pipeline, params, request, read, agent } = await forPipeline()
    const number = await request()
    expect(await read(number)).toMatchObject({ state: 'waiting' })
    const claiming = await agent()
    expect((await claiming.claim()).work).toEqual([])
    const reviewer = await team.member(['pipeline_pipeline_view', 'pipeline_build_view', 'pipeline_review_operate'])
    const at = { params: { ...params, number } }
    await expect(reviewer.call(reviews.passFork, at)).rejects.toMatchObject({ status: 403 })
    const decision = { params, body: { pass: true, number } }
    await expect(reviewer.call(reviews.decide, decision)).rejects.toMatchObject({ key: 'pipelines-review-fork' })
    await team.leader.call(reviews.passFork, at)
    expect((await claiming.claim()).work).toMatchObject([{ number, pipelineId: pipeline.id }])
    expect((await team.leader.call(reviews.log, { params })).items).toMatchObject([
      { state: 'passed', fork: true, votes: [{ name: team.leader.name, pass: true }] },
    ])
    await expect(team.leader.call(reviews.passFork, at)).rejects.toMatchObject({ key: 'pipelines-review-over' })
  })

  test('that was stopped before its approval runs once somebody retries it', async () => {
    const { params, request, read, agent } = await forPipeline()
    const number = await request()
    await team.leader.call(builds.stop, { params: { ...params, number } })
    expect(await read(number)).toMatchObject({ state: 'aborted' })
    await team.leader.call(builds.retry, { params: { ...params, number }, body: {} })
    expect((await (await agent()).claim()).work).toMatchObject([{ number }])
    expect((await team.leader.call(reviews.log, { params })).items).toMatchObject([{ state: 'passed' }])
  })

  test('runs only where steps are isolated, even if an administrator starts or retries it', async () => {
    const { pipeline, params, request, agent } = await forPipeline({ forksWait: false }, script)
    const number = await request()
    const bare = await agent({ isolated: false })
    expect((await bare.claim()).work).toEqual([])
    await app.admin.call(builds.trigger, { params, body: { branch: 'main', commit } })
    await team.leader.call(builds.stop, { params: { ...params, number } })
    await app.admin.call(builds.retry, { params: { ...params, number }, body: {} })
    expect((await bare.claim()).work).toEqual([])
    expect((await (await agent()).claim()).work.map((one) => one.number).toSorted()).toEqual([number, number + 1])
    // an administrator's own build, not of a fork, may run there
    await app.admin.call(builds.trigger, { params: { id: pipeline.id }, body: { branch: 'main' } })
    expect((await bare.claim()).work).toHaveLength(1)
  })

  test('does not replace a build of the team’s own branch of that name', async () => {
    const { pipeline, request, read } = await forPipeline({ forksWait: false }, script)
    const own = await triggerBuild(app.ctx(team.leader), pipeline.id, { cause: 'manual', branch: 'main' })
    const at = { params: { appId: pipeline.appId, pipelineId: pipeline.id } }
    const { revision: _, ...setting } = await team.leader.call(pipelines.setting, at)
    const body = { ...setting, concurrency: { ...setting.concurrency, newestOnly: true } }
    await team.leader.call(pipelines.setSetting, { ...at, body })
    const first = await request(12)
    const other = await request(13)
    const second = await request(12)
    const states = await Promise.all([own.number, first, other, second].map(async (n) => (await read(n)).state))
    expect(states).toEqual(['queued', 'aborted', 'queued', 'queued'])
  })

  test('does not start pipelines that follow, and their log says so', async () => {
    const { pipeline, params, request, agent } = await forPipeline({ forksWait: false }, script)
    const follower = await testPipeline(app, team)
    const after = await team.leader.call(triggers.create, {
      params: { id: follower.id },
      body: { rule: { kind: 'pipeline', pipelineId: pipeline.id, on: 'any' } },
    })
    const number = await request()
    const taking = await agent()
    await taking.claim()
    await app.db.updateTable('build').set({ state: 'success' }).where('pipeline_id', '=', params.id).execute()
    await fireFollowers(app.ctx(), { pipelineId: pipeline.id, number })
    expect((await team.leader.call(builds.list, { params: { id: follower.id } })).totalSize).toBe(0)
    const log = await team.leader.call(triggers.events, { params: { id: follower.id, triggerId: after.id } })
    expect(log.items).toMatchObject([
      { outcome: 'skipped', message: expect.stringContaining('of a fork’s merge request') as string },
    ])
  })

  test('succeeds with nothing to run if all its steps are left out', async () => {
    const { request, read } = await forPipeline({ forksWait: false }, [
      { type: 'mail', name: 'mail', to: ['ada@example.test'], subject: 'Done', text: 'Done' },
    ])
    expect(await read(await request())).toMatchObject({ state: 'success' })
  })
})

test('a build of the repository’s own merge request gets everything', async () => {
  const { pipeline, params } = await forPipeline({}, script)
  const mergeRequest = { number: 7, source: 'fix', target: 'main', fork: false }
  const { number } = await triggerBuild(app.ctx(team.leader), pipeline.id, {
    cause: 'webhook',
    branch: 'fix',
    mergeRequest,
  })
  expect(await team.leader.call(builds.withheld, { params: { ...params, number } })).toBeNull()
})
