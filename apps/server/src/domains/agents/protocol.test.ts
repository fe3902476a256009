import { protocolHeader, protocolVersion, understands } from '@gantry/agent-protocol/protocol'
import { protocol } from '@gantry/contract/agents/protocol'
import { expect, test } from 'vitest'
import { testAgent } from '../../../test/build-agent.ts'
import { testApp } from '../../../test/test-app.ts'

const app = await testApp()

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

test('an agent of another major version is refused before its call is read, and is told what to update', async () => {
  const { caller } = await testAgent(app)
  // what the first release sent
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
