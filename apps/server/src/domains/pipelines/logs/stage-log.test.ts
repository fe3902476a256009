import { builds } from '@gantry/contract/pipelines/builds'
import { expect, test } from 'vitest'
import { folderBlobs } from '../../../adapters/blobs/folder.ts'
import { runningBuild } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'

const blobs = await folderBlobs({ folder: testFolder('blobs'), reserve: 0 })
const app = await testApp({ ports: { blobs } })

const texts = ['a1\na2\n', 'b1\nb2', '', 'd1\n']

/** A build with one stage of four steps, none of which has begun. */
async function fourSteps() {
  const team = await app.team()
  const { pipeline, number, agent, held } = await runningBuild(
    app,
    team,
    ['a', 'b', 'c', 'd'].map((name) => ({ type: 'script', name, run: 'true' })),
  )
  let sent = 0
  const state = async (step: number, ...states: ('building' | 'success')[]) => {
    await agent.events(
      held,
      sent + 1,
      states.map((one) => ({ type: 'step', step, at: 0, state: one, ...(one === 'success' ? { exitCode: 0 } : {}) })),
    )
    sent += states.length
  }
  return {
    state,
    write: (step: number, text = texts[step] ?? '', offset = 0) => agent.log(held, step, offset, text),
    read: (query: object = {}, stage = 'only') =>
      team.leader.call(builds.log, { params: { id: pipeline.id, number, stage }, query }),
    whole: async () =>
      (await team.leader.raw({ method: 'GET', url: `/api/v2/pipelines/${pipeline.id}/builds/${number}/log` })).body,
    async end() {
      const logs = texts.map((text, step) => ({ step, bytes: text.length }))
      await agent.events(held, sent + 1, [{ type: 'end', state: 'success', logs }])
      await app.drainJobs()
    },
  }
}

type Build = Awaited<ReturnType<typeof fourSteps>>

const linesOf = async (build: Build, query: object = {}) =>
  (await build.read(query)).lines.map(({ n, text }) => `${n} ${text}`)

async function runAll(build: Build) {
  for (const step of texts.keys()) {
    await build.state(step, 'building')
    if (texts[step] !== '') await build.write(step)
    await build.state(step, 'success')
  }
}

test("a stage's log is the logs of its steps in order, in any range, growing and packed", async () => {
  const build = await fourSteps()
  await runAll(build)
  const all = ['0 a1', '1 a2', '2 b1', '3 b2', '4 d1']
  const check = async () => {
    expect(await build.read()).toMatchObject({
      step: 3,
      steps: [
        { step: 0, first: 0 },
        { step: 1, first: 2 },
        { step: 2, first: 4 },
        { step: 3, first: 4 },
      ],
      total: 5,
      complete: true,
    })
    for (const offset of [0, 1, 2, 3, 4, 5])
      for (const limit of [1, 2, 5])
        expect(await linesOf(build, { offset, limit })).toEqual(all.slice(offset, offset + limit))
    expect(await linesOf(build, { offset: -1, limit: 2 })).toEqual(all.slice(3))
    expect(await linesOf(build, { step: 1 })).toEqual(['0 b1', '1 b2'])
  }
  await check()
  await build.end()
  await check()
})

test('a search of a stage counts the hits of all its steps', async () => {
  const build = await fourSteps()
  await runAll(build)
  expect(await linesOf(build, { search: '1' })).toEqual(['0 a1', '2 b1', '4 d1'])
  expect(await linesOf(build, { search: '1', offset: 1, limit: 1 })).toEqual(['2 b1'])
  expect(await build.read({ search: '1', limit: 1 })).toMatchObject({ total: 3, truncated: false })
})

test('a later step’s lines appear once the earlier steps have ended, so that no line changes its number', async () => {
  const build = await fourSteps()
  await build.state(0, 'building')
  await build.write(0, 'a1\n')
  await build.write(1)
  expect(await build.read()).toMatchObject({ step: 0, total: 1, complete: false })
  await build.write(0, 'a2\n', 3)
  await build.state(0, 'success')
  expect(await linesOf(build)).toEqual(['0 a1', '1 a2', '2 b1', '3 b2'])
})

test('the download of a whole build names each step above its log', async () => {
  const build = await fourSteps()
  await runAll(build)
  const whole = [
    '=== only / a (success)\na1\na2\n',
    '=== only / b (success)\nb1\nb2\n',
    '=== only / c (success)\n',
    '=== only / d (success)\nd1\n',
  ].join('\n')
  expect(await build.whole()).toBe(whole)
  await build.end()
  expect(await build.whole()).toBe(whole)
})

test('a stage that the build does not have is 404', async () => {
  const build = await fourSteps()
  await expect(build.read({}, 'other')).rejects.toMatchObject({ status: 404 })
})
