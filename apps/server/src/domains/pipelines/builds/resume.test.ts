import type { AgentEvent } from '@gantry/contract/agents/events'
import { protocolHeader, protocolVersion } from '@gantry/agent-protocol/protocol'
import { protocol } from '@gantry/contract/agents/protocol'
import { artifacts } from '@gantry/contract/pipelines/artifacts'
import { builds } from '@gantry/contract/pipelines/builds'
import type { StageInput } from '@gantry/contract/pipelines/definition'
import { tests } from '@gantry/contract/pipelines/findings/tests'
import { beforeAll, describe, expect, test } from 'vitest'
import { folderBlobs } from '../../../adapters/blobs/folder.ts'
import { type Held, testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { collectLost } from '../queue/leases.service.ts'

const blobs = await folderBlobs({ folder: testFolder('blobs'), reserve: 0 })
const app = await testApp({ ports: { blobs } })
let team: Awaited<ReturnType<typeof app.team>>
beforeAll(async () => {
  team = await app.team()
})

const at = 0
const stage = (name: string, more: Partial<StageInput> = {}): StageInput => ({
  name,
  steps: [{ type: 'script', name: name.toLowerCase(), run: 'true' }],
  ...more,
})
const stages = [stage('Build'), stage('Test'), stage('Deploy')]
const gone: AgentEvent[] = [
  { type: 'end', state: 'failed', logs: [], reason: { key: 'agents-workspace-gone', vars: { attempt: 1 } } },
]

async function triggered(of: StageInput[] = stages) {
  const { id, projectName } = await testPipeline(app, team, [], of)
  const agent = await testAgent(app, { labels: [projectName] })
  const { number } = await team.leader.call(builds.trigger, { params: { id }, body: {} })
  const params = { id, number }
  const tryClaim = async () => {
    const self = { version: 'test', osType: 'linux' as const, executors: ['process' as const], isolated: true }
    const body = { ...self, holding: [], free: 1, wait: 0 }
    return (await agent.caller.call(protocol.claim, { body }, { [protocolHeader]: protocolVersion })).work[0]
  }
  const read = (query: object = {}) => team.leader.call(builds.get, { params, query })
  return {
    id,
    agent,
    read,
    claim: async () => {
      const work = await tryClaim()
      if (!work) throw new Error('nothing was claimed')
      return work
    },
    tryClaim,
    retry: () => team.leader.call(builds.retry, { params, body: {} }),
    decide: (name: string) =>
      team.leader.call(builds.decide, { params: { ...params, stage: name }, body: { pass: true } }),
    /** Runs steps of a job, each with a log: all succeed but the last one, which fails. */
    async run(job: Held, steps: number[], { fails = true } = {}) {
      const events: AgentEvent[] = []
      for (const step of steps) {
        const state = fails && step === steps.at(-1) ? 'failed' : 'success'
        events.push({ type: 'step', step, state: 'building', at })
        events.push({ type: 'output', step, values: { OF: `${job.attempt}` } }, { type: 'step', step, state, at })
        await agent.log(job, step, 0, `step ${step} of ${job.attempt}\n`)
      }
      await agent.events(job, 1, [...events, { type: 'end', state: fails ? 'failed' : 'success', logs: [] }])
      await app.drainJobs()
    },
    states: async (query: object = {}) =>
      (await read(query)).stages.map(({ steps }) => steps.map(({ state, passedIn }) => [state, passedIn]).flat()),
    log: async (step: number, query: object = {}) => {
      const input = { params: { ...params, stage: of[step]?.name ?? '' }, query: { step, ...query } }
      return (await team.leader.call(builds.log, input)).lines.map(({ text }) => text)
    },
    files: async (query: object = {}) =>
      (await team.leader.call(artifacts.list, { params, query })).map(({ path }) => path),
    cases: async (query: object = {}) =>
      (await team.leader.call(tests.list, { params, query })).items.map(({ name }) => name),
  }
}

test('a retry begins with the stage that failed and keeps what passed before it', async () => {
  const build = await triggered()
  const first = await build.claim()
  expect(first).toMatchObject({ workspace: null, resume: { workspace: expect.any(String) as string, passed: [] } })
  await build.agent.events(first, 1, [{ type: 'step', step: 0, state: 'building', at }])
  await build.agent.log(first, 0, 0, 'built\n')
  await build.agent.upload(first, 0, 'artifacts', 'app.tar', 'bytes')
  await build.agent.upload(first, 0, 'reports', 'junit.xml', '<testsuite><testcase name="fine"/></testsuite>')
  const image = {
    type: 'image' as const,
    step: 0,
    registryId: 1,
    image: 'reg.example/app',
    digest: 'sha256:1',
    size: 1,
  }
  await build.agent.events(first, 2, [
    { ...image, tag: 't1' },
    { type: 'output', step: 0, values: { VERSION: '1.2' } },
    { type: 'step', step: 0, state: 'success', at },
    { type: 'step', step: 1, state: 'building', at },
    { type: 'step', step: 1, state: 'success', at },
    { type: 'step', step: 2, state: 'building', at },
  ])
  await build.agent.log(first, 2, 0, 'cannot deploy\n')
  await build.agent.events(first, 8, [
    { type: 'step', step: 2, state: 'failed', exitCode: 1, at },
    { type: 'end', state: 'failed', logs: [] },
  ])
  await app.drainJobs()
  const before = await build.read()
  await build.retry()

  const second = await build.claim()
  expect(second).toMatchObject({
    attempt: 2,
    resume: { workspace: first.resume?.workspace, passed: [0, 1], gone: false },
    outputs: { 'build.VERSION': '1.2' },
  })
  await build.run(second, [2], { fails: false })
  const after = await build.read()
  expect(after).toMatchObject({ state: 'success', artifactNum: 1, images: [{ tag: 't1' }], tests: { total: 1 } })
  expect(await build.states()).toEqual([
    ['success', 1],
    ['success', 1],
    ['success', null],
  ])
  const times = ({ stages: all }: typeof after) => all[0]?.steps.map(({ startedAt, endedAt }) => [startedAt, endedAt])
  expect(times(after)).toEqual(times(before))
  expect([await build.log(0), await build.log(2)]).toEqual([['built'], ['step 2 of 2']])

  // the first attempt is shown whole, though the second one shares a part of it
  const query = { attempt: 1 }
  expect(await build.states(query)).toEqual([
    ['success', null],
    ['success', null],
    ['failed', null],
  ])
  expect(await build.read(query)).toMatchObject({ artifactNum: 1, images: [{ tag: 't1' }], tests: { total: 1 } })
  expect([await build.log(0, query), await build.log(2, query)]).toEqual([['built'], ['cannot deploy']])
  expect([await build.files(query), await build.cases(query)]).toEqual([['app.tar'], ['fine']])
})

test('if the workspace is gone, the next attempt runs all stages, once, and each attempt is shown as it was', async () => {
  const build = await triggered()
  await build.run(await build.claim(), [0, 1])
  await build.retry()
  await build.run(await build.claim(), [1, 2])
  await build.retry()
  const third = await build.claim()
  expect(third.resume).toMatchObject({ passed: [0, 1], gone: false })
  await build.agent.events(third, 1, gone)
  expect(await build.read()).toMatchObject({ state: 'queued', attempts: [{}, {}, { attempt: 3, startsOver: true }] })
  const fourth = await build.claim()
  expect(fourth).toMatchObject({ attempt: 4, resume: { passed: [], gone: true }, outputs: {} })
  await build.run(fourth, [0, 1, 2], { fails: false })

  expect(await build.states()).toEqual(stages.map(() => ['success', null]))
  const passed = (attempt: number) => build.states({ attempt })
  expect(await passed(1)).toEqual([
    ['success', null],
    ['failed', null],
    ['not_built', null],
  ])
  expect(await passed(2)).toEqual([
    ['success', 1],
    ['success', null],
    ['failed', null],
  ])
  expect(await passed(3)).toEqual([
    ['success', 1],
    ['success', 2],
    ['not_built', null],
  ])
  const logs = [1, 2, 3, 4].map((attempt) => Promise.all([0, 1].map((step) => build.log(step, { attempt }))))
  expect(await Promise.all(logs)).toEqual([
    [['step 0 of 1'], ['step 1 of 1']],
    [['step 0 of 1'], ['step 1 of 2']],
    [['step 0 of 1'], ['step 1 of 2']],
    [['step 0 of 4'], ['step 1 of 4']],
  ])
})

test('the attempt after a retry whose agent was lost runs all stages', async () => {
  const build = await triggered()
  await build.run(await build.claim(), [0, 1, 2])
  await build.retry()
  const { jobId } = await build.claim()
  await app.db
    .updateTable('build_job')
    .set({ lease_until: new Date(0).toISOString() })
    .where('id', '=', jobId)
    .execute()
  await collectLost(app.ctx())
  expect((await build.claim()).resume).toMatchObject({ passed: [], gone: false })
})

test('a retry of a retry that was stopped before it began resumes at the same stage', async () => {
  const build = await triggered()
  await build.run(await build.claim(), [0, 1, 2])
  await build.retry()
  const { number } = await build.read()
  await team.leader.call(builds.stop, { params: { id: build.id, number } })
  expect((await build.read()).state).toBe('aborted')
  await build.retry()
  expect(await build.claim()).toMatchObject({ attempt: 2, resume: { passed: [0, 1] } })
  expect(await build.log(0)).toEqual(['step 0 of 1'])
})

test.each([
  ['one stage', [stage('Build')]],
  ['a stage of jobs', [{ name: 'Build', jobs: [{ name: 'job', steps: stage('x').steps ?? [] }] }]],
])('%s has nothing to resume', async (_what, of: StageInput[]) => {
  const build = await triggered(of)
  const first = await build.claim()
  expect(first.resume).toBeNull()
  await build.run(first, [0])
  await build.retry()
  expect((await build.claim()).resume).toBeNull()
})

describe('a stage that was started by a user', () => {
  const approved = [stage('Build', { mode: 'manual' }), stage('Deploy')]

  async function failed() {
    const build = await triggered(approved)
    await build.decide('Build')
    await build.run(await build.claim(), [0, 1])
    await build.retry()
    return build
  }

  test('is not asked about again while its results are there', async () => {
    const build = await failed()
    const after = await build.read()
    expect([after.state, after.stages[0]?.gate?.state]).toEqual(['queued', 'passed'])
    await build.run(await build.claim(), [1], { fails: false })
    expect((await build.read()).state).toBe('success')
  })

  test('does not run again until somebody is asked again', async () => {
    const build = await failed()
    await build.agent.events(await build.claim(), 1, gone)
    const after = await build.read()
    expect([after.state, after.stages[0]?.gate?.state]).toEqual(['waiting', 'waiting'])
    expect(await build.tryClaim()).toBeUndefined()
    await build.decide('Build')
    expect((await build.claim()).resume).toMatchObject({ passed: [] })
  })

  test('is asked about again if it is retried itself', async () => {
    const build = await triggered(approved)
    await build.decide('Build')
    await build.run(await build.claim(), [0])
    await build.retry()
    expect((await build.read()).state).toBe('waiting')
  })
})
