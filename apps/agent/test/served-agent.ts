import type { TestContext } from 'vitest'
import { agentProcess, type AgentProcess } from './agent-process.ts'
import { fakeServer, type FakeServer } from './fake-server.ts'

/** A separate agent and server for a test, so that tests can run in parallel. They end with the test. */
export async function servedAgent({
  onTestFinished,
}: TestContext): Promise<{ server: FakeServer; agent: AgentProcess }> {
  const server = await fakeServer()
  const agent = await agentProcess(server.url)
  onTestFinished(async () => {
    await agent.close()
    await server.close()
  })
  return { server, agent }
}
