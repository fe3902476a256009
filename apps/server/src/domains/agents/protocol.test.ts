import { newSteps, protocolHeader, protocolVersion, understands } from '@gantry/agent-protocol/protocol'
import { protocol } from '@gantry/contract/agents/protocol'
import { builds } from '@gantry/contract/pipelines/builds'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../test/build-agent.ts'
import { testApp } from '../../../test/test-app.ts'

const app = await testApp()
// the previous version knows every step type of today: pretend that it lacks one
newSteps.types.push('http')

test.each([
  ['2.0', '2.0', true],
  ['2.1', '2.0', true],
  ['2.0', '2.1', true],
  ['2.2', '2.0', false],
  ['3.0', '2.0', false],
  ['2.0', '1', false],
  ['2.0', '', false],
  ['2.0', '2.x', false],
])('a server of version %s and an agent of %s understand each other: %s', (server, agent, expected) => {
  expect(understands(server, agent)).toBe(expected)
})

test('an agent of another major version is refused before its call is parsed, and the refusal says what to update', async () => {
  const { caller } = await testAgent(app)
  // the shape that the first release sent
  const holding = [{ buildId: 1, attempt: 1 }] as never
  const claim = (version: string) =>
    caller.call(
      protocol.claim,
      {
        body: { version: 'old', osType: 'linux', executors: ['process'], isolated: true, holding, free: 1, wait: 0 },
      },
      { [protocolHeader]: version },
    )
  for (const version of ['1', '', 'x'])
    await expect(claim(version)).rejects.toMatchObject({ status: 400, key: 'agents-protocol' })
  await expect(claim('1')).rejects.toThrow(`version ${protocolVersion}`)
})

test('a job with a step type unknown to older agents waits for a newer agent, and says so', async () => {
  const team = await app.team()
  const call: StepInput = { type: 'http', name: 'call', url: 'https://example.com/hook' }
  const pipeline = await testPipeline(app, team, [call])
  await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const claim = async (version: string) => {
    const self = { version: 'test', osType: 'linux' as const, executors: ['process' as const], isolated: true }
    const body = { ...self, holding: [], free: 2, wait: 0 }
    return (await agent.caller.call(protocol.claim, { body }, { [protocolHeader]: version })).work
  }
  expect(await claim(newSteps.unknownTo)).toEqual([])
  const [entry] = await team.leader.call(builds.queue, { params: { id: pipeline.id } })
  expect(entry?.agents.find(({ name }) => name === agent.name)?.reason).toContain('too old for the steps')
  const plain = await testPipeline(app, team)
  await app.db
    .updateTable('pipeline')
    .set({ agent_labels: [pipeline.projectName] })
    .where('id', '=', plain.id)
    .execute()
  await team.leader.call(builds.trigger, { params: { id: plain.id }, body: {} })
  expect(await claim(newSteps.unknownTo)).toMatchObject([{ pipelineId: plain.id }])
  expect((await claim(protocolVersion)).map(({ pipelineId }) => pipelineId)).toContain(pipeline.id)
})
