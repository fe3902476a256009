import { agents } from '@gantry/contract/agents/agents'
import { builds } from '@gantry/contract/pipelines/builds'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../../../../agent/test/agent-process.ts'
import { testPipeline } from '../../../test/build-agent.ts'
import { socketClient } from '../../../test/socket-client.ts'
import { testApp } from '../../../test/test-app.ts'

const app = await testApp()
const { origin } = await socketClient(app)
let agent: AgentProcess | undefined
afterAll(() => agent?.close())

test('an additional agent joins by its token, and the labels of its environment are listed and match at a claim', async () => {
  const team = await app.team()
  const pipeline = await testPipeline(app, team)
  const of = { params: { id: pipeline.id, number: 1 } }
  await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
  const { id, token, ways } = await app.admin.call(agents.create, { body: { name: 'second', labels: ['given'] } })
  expect(ways.file).toContain(`GANTRY_AGENT_TOKEN=${token}`)
  const own = ['gpu', pipeline.projectName]
  agent = await agentProcess(origin, { GANTRY_AGENT_TOKEN: token, GANTRY_AGENT_LABELS: own.join(', ') })
  await eventually(async () => {
    const listed = await app.admin.call(agents.list)
    expect(listed.find((one) => one.id === id)).toMatchObject({
      givenLabels: ['given'],
      ownLabels: own,
      state: 'online',
    })
    expect(await team.leader.call(builds.get, of)).toMatchObject({ state: 'success' })
  })
})
