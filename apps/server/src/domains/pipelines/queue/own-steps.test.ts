import type { AgentEvent } from '@gantry/contract/agents/events'
import { stepProtocol } from '@gantry/contract/agents/step-protocol'
import { builds } from '@gantry/contract/pipelines/builds'
import { expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { folderBlobs } from '../../../adapters/blobs/folder.ts'

const blobs = await folderBlobs({ folder: testFolder('blobs'), reserve: 0 })
const app = await testApp({ ports: { blobs } })
const team = await app.team()

const script = { type: 'script' as const, run: 'true' }
const pipeline = await testPipeline(app, team, undefined, [
  {
    name: 'both',
    jobs: [
      { name: 'mine', steps: [{ ...script, name: 'make' }] },
      { name: 'theirs', steps: [{ ...script, name: 'make' }] },
    ],
  },
])
await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
const agent = await testAgent(app, { labels: [pipeline.projectName] })
const [job] = (await agent.claim(1)).work
if (!job) throw new Error('nothing was claimed')
const [own, another] = [job.firstStep, 1 - job.firstStep]

const image = { image: 'registry.example.test/web', tag: '1', digest: 'sha256:1', size: 1, registryId: 1 }
const foreign = { status: 409, key: 'agents-step-foreign' }

test.for<[string, AgentEvent]>([
  ['an image', { type: 'image', step: another, ...image }],
  ['an output', { type: 'output', step: another, values: { KEY: 'x' } }],
  ['no output', { type: 'output', step: another, values: {} }],
])('%s of another job’s step is refused', async ([, event]) => {
  await expect(agent.events(job, 1, [event])).rejects.toMatchObject(foreign)
})

test('the state of another job’s step cannot be changed', async () => {
  await agent.events(job, 1, [{ type: 'step', step: another, state: 'building', at: 0 }])
  const { stages } = await team.leader.call(builds.get, { params: { id: pipeline.id, number: 1 } })
  expect(stages.flatMap(({ steps }) => steps.map(({ state }) => state))).toEqual(['pending', 'pending'])
})

test('the log of another job’s step cannot be written', async () => {
  const refused = { status: 409, message: 'agents-step-foreign' }
  expect(await agent.log(job, another, 0, 'x\n')).toMatchObject(refused)
  expect(await agent.log(job, 100, 0, 'x\n')).toMatchObject(refused)
  expect(await agent.log(job, own, 0, 'x\n')).toMatchObject({ status: 200 })
})

test.for<['artifacts' | 'reports' | 'coverage' | 'scans', string]>([
  ['artifacts', 'text'],
  ['reports', '<testsuite/>'],
  ['coverage', 'SF:a\nDA:1,1\nend_of_record\n'],
  ['scans', '{"version":"2.1.0","runs":[]}'],
])('%s are accepted for steps of the agent’s own job only', async ([what, text]) => {
  const refused = { status: 409, message: 'agents-step-foreign' }
  expect(await agent.upload(job, another, what, 'a', text)).toMatchObject(refused)
  expect(await agent.upload(job, own, what, 'a', text)).toMatchObject({ status: 200 })
})

test.for(['deploy', 'registryToken', 'codeQuality'] as const)('%s needs a step of the own job', async (what) => {
  const input = { params: { jobId: job.jobId, step: another }, query: { attempt: job.attempt } }
  await expect(agent.caller.call(stepProtocol[what], input)).rejects.toMatchObject(foreign)
})

test('the server performs no step of another job', async () => {
  const input = { params: { jobId: job.jobId, step: another }, query: { attempt: job.attempt }, body: { texts: {} } }
  await expect(agent.caller.call(stepProtocol.serve, input)).rejects.toMatchObject(foreign)
})
