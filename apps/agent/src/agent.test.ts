import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../test/fake-server.ts'
import { script, work } from '../test/works.ts'

let server: FakeServer
let agent: AgentProcess

beforeAll(async () => {
  server = await fakeServer()
  agent = await agentProcess(server.url)
})
afterAll(async () => {
  await agent.close()
  await server.close()
})

const states = (build: ReturnType<FakeServer['give']>): string[] =>
  build.events.flatMap((event) => (event.type === 'step' ? [`${event.step} ${event.state}`] : []))

describe('a build', () => {
  test('runs its steps in order, sends their logs whole, and ends', async () => {
    const build = server.give(
      work([script('echo one; echo two >&2'), script('echo "$GREETING, $HOME"')], {
        environment: [{ name: 'GREETING', value: 'it\'s\n"me" $HOME' }],
      }),
    )
    expect(await build.ended).toMatchObject({ state: 'success', logs: [{ step: 0, bytes: 8 }, { step: 1 }] })
    expect(states(build)).toEqual(['0 building', '0 success', '1 building', '1 success'])
    expect(build.log(0)).toBe('one\ntwo\n')
    expect(build.log(1)).toMatch(/^it's\n"me" \$HOME, \/.+\/build\/home\n$/)
  })

  test('stops at the first step that fails, but for steps that always run', async () => {
    const build = server.give(
      work([script('echo a; exit 3'), script('echo b'), script('echo c', { always: true }), script('echo d')]),
    )
    expect(await build.ended).toMatchObject({
      state: 'failed',
      reason: { key: 'agents-script-failed', vars: { code: 3 } },
    })
    expect(states(build)).toEqual(['0 building', '0 failed', '1 not_built', '2 building', '2 success', '3 not_built'])
    expect(build.events).toContainEqual(expect.objectContaining({ step: 0, state: 'failed', exitCode: 3 }))
    expect(build.log(2)).toBe('c\n')
  })
})
