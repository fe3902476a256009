import type { TestContext } from 'vitest'
import { agentProcess, type AgentProcess } from './agent-process.ts'
import { fakeServer, type FakeServer } from './fake-server.ts'

/** An agent and a server of one test's own, so that tests run beside each other. They end with the test. */
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
