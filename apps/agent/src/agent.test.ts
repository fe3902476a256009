import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentProcess, type AgentProcess } from '../test/agent-process.ts'
import { fakeServer, type FakeServer } from '../test/fake-server.ts'
import { script, work } from '../test/works.ts'
import { startAgent } from './agent.ts'
import { openSlots } from './slots.ts'

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
  test('runs its steps in order, sends their logs whole, and reports its end', async () => {
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

  test('stops at the first step that fails, except for steps that always run', async () => {
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

test('an answer about one attempt does not affect the next attempt, which another poll has brought', async () => {
  const stops: string[] = []
  let end = (): void => {}
  const polls: { body: { free: number; holding: unknown[] }; answer: (given: object) => void }[] = []
  const client = {
    call: (_: string, { body }: { body: (typeof polls)[number]['body'] }) =>
      new Promise((done) => {
        if (body.free > 0)
          polls.push({ body, answer: (given) => done({ work: [], drop: [], cancel: [], clean: false, ...given }) })
      }),
  }
  const agent = startAgent({
    host: {
      prepare: async ({ jobId, attempt }, slot) => ({ jobId, attempt, slot, dir: '' }),
      begin: (work, room) => ({
        work,
        room,
        stop: (why) => void stops.push(`${work.attempt} ${why}`),
        done: new Promise((done) => (end = done)),
      }),
    },
    client: client as never,
    slots: await openSlots(2, undefined, []),
    isolated: true,
    executors: ['process'],
    labels: [],
    machine: () => ({}) as never,
    clean: async () => {},
    log: () => {},
    left: [],
  })
  const attempt = (n: number) => work([], { jobId: 77, attempt: n })
  polls[0]?.answer({ work: [attempt(1)] })
  // the second slot asks for work, while the first attempt is reported as held
  await expect.poll(() => polls[1]?.body.holding).toEqual([{ jobId: 77, attempt: 1 }])
  end()
  await expect.poll(() => polls[2]?.body.holding).toEqual([])
  polls[2]?.answer({ work: [attempt(2)] })
  await expect.poll(() => agent.running()).toBe(1)
  polls[1]?.answer({ drop: [77], cancel: [77] })
  await expect.poll(() => polls.length).toBe(4)
  expect(stops).toEqual([])
  agent.stop()
})
