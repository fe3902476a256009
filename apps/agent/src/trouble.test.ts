import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import type { AgentProcess } from '../test/agent-process.ts'
import type { FakeBuild } from '../test/fake-build.ts'
import { servedAgent } from '../test/served-agent.ts'
import { script, work } from '../test/works.ts'

/** Makes a step wait until the file `go` exists. */
const wait = 'until [ -e go ]; do sleep 0.05; done'
const go = (room: string): void => writeFileSync(join(room, 'fs/work/go'), '')
const roomOf = (agent: AgentProcess, build: FakeBuild): string => join(agent.dir, `builds/${build.work.jobId}-1`)

const numbers = (n: number): string => Array.from({ length: n }, (_, i) => `${i + 1}\n`).join('')

test.concurrent('a log arrives whole and once through a server that cuts connections and fails, before or after it has acted', async (context) => {
  const { server } = await servedAgent(context)
  let n = 0
  server.trouble = (request) => {
    if (request.url === '/api/agent/claim') return undefined
    n++
    return n % 7 === 0 ? 'cut' : n % 11 === 0 ? 503 : n % 13 === 0 ? 429 : undefined
  }
  const build = server.give(
    work([script('for i in $(seq 1 200); do echo $i; sleep 0.005; done; seq 201 100000'), script('echo last')]),
  )
  expect(await build.ended).toMatchObject({ state: 'success' })
  expect(build.log(0)).toBe(numbers(100_000))
  expect(build.log(1)).toBe('last\n')
  expect(
    build.events.map((e) => ('step' in e ? `${e.type} ${e.step} ${'state' in e ? e.state : ''}` : e.type)),
  ).toEqual(['step 0 building', 'step 0 success', 'step 1 building', 'step 1 success', 'end'])
})

test.concurrent('a build continues while the server is down, and is reported when it is back', async (context) => {
  const { server, agent } = await servedAgent(context)
  const build = server.give(work([script(`seq 1 10; ${wait}; seq 11 150`)]))
  await eventually(
    () => build.log(0),
    (log) => log === numbers(10),
  )
  await server.restart(async () => {
    await eventually(
      () => agent.log(),
      (log) => log.includes('the server does not answer'),
    )
    const room = roomOf(agent, build)
    go(room)
    await eventually(
      () => readFileSync(join(room, 'steps/0/spool'), 'utf8'),
      (log) => log === numbers(150),
    )
  })
  expect(await build.ended).toMatchObject({ state: 'success' })
  expect(build.log(0)).toBe(numbers(150))
  await eventually(
    () => agent.log(),
    (log) => log.includes('the server answers again'),
  )
})

test.concurrent('a server that was restored to an older state gets everything again', async (context) => {
  const { server, agent } = await servedAgent(context)
  const build = server.give(work([script(`seq 1 50; ${wait}; seq 51 100`)]))
  await eventually(
    () => build.log(0),
    (log) => log === numbers(50),
  )
  build.logs.clear()
  build.events.length = 0
  go(roomOf(agent, build))
  await build.ended
  expect(build.log(0)).toBe(numbers(100))
})

test.concurrent('a million lines arrive whole, and the agent’s memory stays small', async (context) => {
  const { server } = await servedAgent(context)
  const build = server.give(work([script('seq 1 1000000')]))
  expect(await build.ended).toMatchObject({ state: 'success', logs: [{ step: 0, bytes: 6_888_896 }] })
  expect(build.log(0) === numbers(1_000_000)).toBe(true)
})

test.concurrent('a line without an end, and bytes that are not text, arrive unchanged', async (context) => {
  const { server } = await servedAgent(context)
  const build = server.give(work([script('head -c 3000000 /dev/zero | tr "\\0" x; printf "\\377\\376\\000"')]))
  await build.ended
  const log = Buffer.concat(build.logs.get(0) ?? [])
  expect(log.length).toBe(3_000_003)
  expect([...log.subarray(-4)]).toEqual([0x78, 0xff, 0xfe, 0])
})

test.concurrent('a step that truncates its own output loses only that', async (context) => {
  const { server } = await servedAgent(context)
  const build = server.give(
    work([script('echo a; sleep 0.2; python3 -c "import os; os.ftruncate(1, 0)" || true; echo b')]),
  )
  expect(await build.ended).toMatchObject({ state: 'success' })
  expect(build.log(0)).toMatch(/^a\n(b\n)?$/)
})

test.concurrent('if there is no space for the log, the step fails with that cause', async (context) => {
  const { server } = await servedAgent(context)
  server.on.log = () => ({ status: 507, key: 'storage-full' })
  const build = server.give(work([script('echo x; sleep 30')]))
  expect(await build.ended).toMatchObject({ state: 'failed', reason: { key: 'agents-server-storage-full' }, logs: [] })
})

test.concurrent('a step and a build that take too long are ended', async (context) => {
  const { server } = await servedAgent(context)
  const slow = server.give(work([script('echo up; sleep 60')], { timeoutSeconds: 1 }))
  expect(await slow.ended).toMatchObject({
    state: 'failed',
    reason: { key: 'agents-build-timed-out', vars: { minutes: 1 } },
  })
  expect(slow.events).toContainEqual(expect.objectContaining({ step: 0, state: 'failed' }))
})

test.concurrent('builds wait for a free slot, and every slot is used again', async (context) => {
  const { server } = await servedAgent(context)
  const builds = Array.from({ length: 12 }, (_, i) => server.give(work([script(`echo ${i}`)])))
  await Promise.all(builds.map((build) => build.ended))
  expect(builds.map((build) => build.log(0))).toEqual(builds.map((_, i) => `${i}\n`))
})

test.concurrent('a refused credential is tried again, and the refusal is in the agent’s log', async (context) => {
  const { server, agent } = await servedAgent(context)
  server.trouble = () => 401
  await context.expect.poll(() => agent.log()).toContain('does not answer')
  server.trouble = () => undefined
  expect(await server.give(work([script('true')])).ended).toMatchObject({ state: 'success' })
})
