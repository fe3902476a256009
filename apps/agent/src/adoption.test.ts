import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import type { FakeBuild } from '../test/fake-build.ts'
import { servedAgent } from '../test/served-agent.ts'
import { script, work } from '../test/works.ts'

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}\n`).join('')

const begins = (build: FakeBuild): string[] =>
  build.events.flatMap((e) => (e.type === 'step' && e.state === 'building' ? [String(e.step)] : []))

test.concurrent('a step keeps running when the agent is killed, and the next agent completes its log without gaps or repeated lines', async (context) => {
  const { server, agent } = await servedAgent(context)
  const build = server.give(
    work([
      script('for i in $(seq 1 300); do echo $i; sleep 0.01; done; exit 4'),
      script('echo after', { always: true }),
    ]),
  )
  for (const at of [20, 120]) {
    await eventually(
      () => build.log(0),
      (log) => log.includes(`${at}\n`),
    )
    await agent.kill('SIGKILL')
    await agent.start()
  }
  expect(await build.ended).toMatchObject({
    state: 'failed',
    reason: { key: 'agents-script-failed', vars: { code: 4 } },
  })
  expect(build.log(0)).toBe(lines(1, 300))
  expect(build.log(1)).toBe('after\n')
  expect(begins(build)).toEqual(['0', '1'])
})

test.concurrent('a step that ended while no agent ran has its whole log and its exit code', async (context) => {
  const { server, agent } = await servedAgent(context)
  const build = server.give(work([script('echo begun; sleep 0.5; seq 1 1000; exit 7')]))
  await eventually(
    () => build.log(0),
    (log) => log.includes('begun'),
  )
  await agent.kill('SIGKILL')
  const room = join(agent.dir, `builds/${build.work.jobId}-1`)
  await eventually(() => readFileSync(join(room, 'steps/0/exit')))
  await agent.start()
  expect(await build.ended).toMatchObject({ state: 'failed', reason: { vars: { code: 7 } } })
  expect(build.log(0)).toBe(`begun\n${lines(1, 1000)}`)
})

test.concurrent('a secret stays masked if the agent is killed when half of it is written', async (context) => {
  const { server, agent } = await servedAgent(context)
  const build = server.give(
    work([script('printf "x hunter2-and-"; sleep 1; printf "more y\\n"; sleep 0.2; echo done')], {
      masked: ['hunter2-and-more'],
    }),
  )
  await eventually(
    () => build.log(0),
    (log) => log === 'x ',
  )
  await agent.kill('SIGKILL')
  await agent.start()
  await build.ended
  expect(build.log(0)).toBe('x ****** y\ndone\n')
})

test.concurrent('an agent that is asked to end leaves its steps running, and the next agent adopts them', async (context) => {
  const { server, agent } = await servedAgent(context)
  const build = server.give(work([script('for i in $(seq 1 100); do echo $i; sleep 0.01; done')]))
  await eventually(
    () => build.log(0),
    (log) => log.includes('10\n'),
  )
  await agent.kill('SIGTERM')
  await agent.start()
  expect(await build.ended).toMatchObject({ state: 'success' })
  expect(build.log(0)).toBe(lines(1, 100))
})

test.concurrent('a build whose attempt is over is dropped with all its processes, and its folder is removed', async (context) => {
  const { server, agent } = await servedAgent(context)
  const build = server.give(work([script('echo up; sleep 60; echo never')]))
  await eventually(
    () => build.log(0),
    (log) => log === 'up\n',
  )
  const pid = Number(readFileSync(join(agent.dir, `builds/${build.work.jobId}-1/steps/0/pid`), 'utf8').split(' ')[1])
  await agent.kill('SIGKILL')
  build.attempt = 2
  await agent.start()
  await eventually(
    () => existsSync(`/proc/${pid}`),
    (runs) => !runs,
  )
  await eventually(
    () => readdirSync(join(agent.dir, 'builds')),
    (rooms) => rooms.length === 0,
  )
  expect(build.events.map((e) => e.type)).toEqual(['step'])
})

test.concurrent('a build that the server no longer knows is dropped once the agent reports it', async (context) => {
  const { server, agent } = await servedAgent(context)
  const build = server.give(work([script('echo up; sleep 60')]))
  await eventually(
    () => build.log(0),
    (log) => log === 'up\n',
  )
  server.drop(build.work.jobId)
  await eventually(
    () => readdirSync(join(agent.dir, 'builds')),
    (rooms) => rooms.length === 0,
  )
  const next = server.give(work([script('echo free')]))
  expect(await next.ended).toMatchObject({ state: 'success' })
})

test.concurrent('the agent that still runs a build’s last attempt takes over with the next attempt', async (context) => {
  const { server } = await servedAgent(context)
  const build = server.give(work([script('echo up; sleep 60')]))
  await eventually(
    () => build.log(0),
    (log) => log === 'up\n',
  )
  const again = server.give({ ...build.work, attempt: 2, stages: [{ name: 'all', steps: [script('echo second')] }] })
  expect(await again.ended).toMatchObject({ state: 'success' })
  expect(again.log(0)).toBe('second\n')
})
