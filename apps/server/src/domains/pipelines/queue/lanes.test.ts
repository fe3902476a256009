import { builds } from '@gantry/contract/pipelines/builds'
import { pipelines, type Setting } from '@gantry/contract/pipelines/pipelines'
import { running } from '@gantry/contract/pipelines/running'
import { describe, expect, test } from 'vitest'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp()
const label = 'lanes'
const agent = await testAgent(app, { labels: [label] })
type Team = Awaited<ReturnType<typeof app.team>>

/** A pipeline with these settings, and functions to use it. */
async function pipelineOf(team: Team, setting: Partial<Setting>) {
  const { id, appId, projectName } = await testPipeline(app, team)
  const params = { appId, pipelineId: id }
  const { revision: _, ...now } = await team.leader.call(pipelines.setting, { params })
  await team.leader.call(pipelines.setSetting, { params, body: { ...now, agentLabels: [label], ...setting } })
  const trigger = async (more: object = {}) =>
    (await team.leader.call(builds.trigger, { params: { id }, body: more })).number
  return {
    id,
    projectName,
    trigger,
    pause: (paused: boolean, reason = '') =>
      team.leader.call(running.pause, { params: { id }, body: { paused, reason } }),
    get: () => team.leader.call(pipelines.get, { params: { id } }),
    build: (number: number) => team.leader.call(builds.get, { params: { id, number } }),
    reasons: async () => (await team.leader.call(builds.queue, { params: { id } })).map(({ reason }) => reason),
  }
}

type Work = Awaited<ReturnType<typeof agent.claim>>['work']
const claim = async (): Promise<Work> => (await agent.claim()).work
const names = (work: Work) => work.map(({ pipelineName, number }) => `${pipelineName} #${number}`)
const end = async (work: Work) => {
  for (const one of work) await agent.events(one, 1, [{ type: 'end', state: 'success', logs: [] }])
}

describe('builds with one name', () => {
  const quay = { concurrent: false, concurrency: { scope: 'name' as const, name: 'quay', newestOnly: false } }

  test('run one at a time, oldest first, across the pipelines of a team', async () => {
    const team = await app.team()
    const [a, b] = [await pipelineOf(team, quay), await pipelineOf(team, quay)]
    await a.trigger()
    await b.trigger()
    await a.trigger()
    const first = await claim()
    expect(names(first)).toEqual([`${a.projectName} #1`])
    expect(await b.reasons()).toEqual([expect.stringContaining(`build #1 of ${a.projectName}`)])
    await end(first)
    const second = await claim()
    expect(names(second)).toEqual([`${b.projectName} #1`])
    await end(second)
    await end(await claim())
  })

  test('do not wait for another team’s builds, nor for a paused pipeline', async () => {
    const [one, other] = [await app.team(), await app.team()]
    const [a, b, c] = [await pipelineOf(one, quay), await pipelineOf(one, quay), await pipelineOf(other, quay)]
    await a.pause(true)
    for (const pipeline of [a, b, c]) await pipeline.trigger()
    const work = await claim()
    expect(names(work).toSorted()).toEqual([`${b.projectName} #1`, `${c.projectName} #1`].toSorted())
    await end(work)
    await a.pause(false)
    await end(await claim())
  })

  test('need a name', async () => {
    const team = await app.team()
    const nameless = { ...quay, concurrency: { ...quay.concurrency, name: '' } }
    await expect(pipelineOf(team, nameless)).rejects.toMatchObject({ status: 400 })
  })
})

test('builds of a group run one at a time if a pipeline is set so', async () => {
  const team = await app.team()
  const setting = { concurrent: false, concurrency: { scope: 'group' as const, name: '', newestOnly: false } }
  const a = await pipelineOf(team, setting)
  const { appId } = await a.get()
  const b = await pipelineOf(team, setting)
  const params = { appId: (await b.get()).appId, pipelineId: b.id }
  const { revision: _, ...now } = await team.leader.call(pipelines.setting, { params })
  await team.leader.call(pipelines.setSetting, { params, body: { ...now, appId } })
  await a.trigger()
  await b.trigger()
  const work = await claim()
  expect(work).toHaveLength(1)
  await end(work)
  await end(await claim())
})

describe('with only the newest', () => {
  const newest = { concurrency: { scope: 'pipeline' as const, name: '', newestOnly: true } }

  test('of a branch waiting, older builds that have not begun end and name the one that replaced them', async () => {
    const pipeline = await pipelineOf(await app.team(), newest)
    const [one, two, three] = [await pipeline.trigger(), await pipeline.trigger(), await pipeline.trigger()]
    expect(await pipeline.build(one)).toMatchObject({
      state: 'aborted',
      message: 'Build #2 of the same branch or tag took its place before it began',
    })
    expect(await pipeline.build(two)).toMatchObject({ state: 'aborted' })
    expect(await pipeline.build(three)).toMatchObject({ state: 'queued' })
    await end(await claim())
  })

  test('waiting, builds that run or are of another branch go on', async () => {
    const pipeline = await pipelineOf(await app.team(), newest)
    const begun = await pipeline.trigger()
    const work = await claim()
    const other = await pipeline.trigger({ branch: 'other' })
    await pipeline.trigger()
    expect(await pipeline.build(begun)).toMatchObject({ state: 'building' })
    expect(await pipeline.build(other)).toMatchObject({ state: 'queued' })
    await end(work)
    await end(await claim())
  })
})

describe('a paused pipeline', () => {
  test('begins no build, shows who paused it and why, and continues once it is resumed', async () => {
    const team = await app.team()
    const pipeline = await pipelineOf(team, {})
    expect(await pipeline.pause(true, 'the quay is flooded')).toMatchObject({ by: team.leader.name })
    await pipeline.trigger()
    expect(await claim()).toEqual([])
    expect((await pipeline.get()).paused).toMatchObject({ by: team.leader.name, reason: 'the quay is flooded' })
    const [reason] = await pipeline.reasons()
    expect(reason).toContain(team.leader.name)
    expect(reason).toContain('the quay is flooded')
    expect(await pipeline.pause(false)).toBeNull()
    expect((await pipeline.get()).paused).toBeNull()
    const work = await claim()
    expect(work).toHaveLength(1)
    await end(work)
  })

  test('lets a build that has begun run to its end', async () => {
    const pipeline = await pipelineOf(await app.team(), {})
    const number = await pipeline.trigger()
    const work = await claim()
    await pipeline.pause(true)
    await end(work)
    expect(await pipeline.build(number)).toMatchObject({ state: 'success' })
  })
})
