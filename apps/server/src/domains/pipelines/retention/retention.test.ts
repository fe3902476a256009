import { builds } from '@gantry/contract/pipelines/builds'
import { pipelines, type Setting } from '@gantry/contract/pipelines/pipelines'
import { running } from '@gantry/contract/pipelines/running'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { folderBlobs } from '../../../adapters/blobs/folder.ts'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { removeDue } from './retention.service.ts'

const blobs = await folderBlobs({ folder: testFolder('blobs'), reserve: 0 })
const app = await testApp({ ports: { blobs } })

/** A pipeline with these settings and so many ended builds, each with a log and an artifact. */
async function ended(setting: Partial<Setting>, count: number) {
  const team = await app.team()
  const { id, appId, projectName } = await testPipeline(app, team)
  const agent = await testAgent(app, { labels: [projectName] })
  const params = { appId, pipelineId: id }
  const { revision: _, ...now } = await team.leader.call(pipelines.setting, { params })
  await team.leader.call(pipelines.setSetting, { params, body: { ...now, ...setting } })
  for (let n = 0; n < count; n += 1) {
    await team.leader.call(builds.trigger, { params: { id }, body: {} })
    const [work] = (await agent.claim(1)).work
    if (!work) throw new Error('nothing was claimed')
    await agent.log(work, 0, 0, 'hello\n')
    await agent.upload(work, 0, 'artifacts', 'a.txt', 'kept')
    const step = { type: 'step' as const, step: 0, at: 0 }
    await agent.events(work, 1, [
      { ...step, state: 'building' },
      { ...step, state: 'failed', exitCode: 1 },
      { type: 'end', state: 'failed', logs: [{ step: 0, bytes: 6 }] },
    ])
  }
  await app.drainJobs()
  const one = (number: number) => ({ params: { id, number } })
  const get = (number: number) => team.leader.call(builds.get, one(number))
  return {
    one,
    get,
    call: team.leader.call,
    age: (number: number, days: number) =>
      app.db
        .updateTable('build')
        .set({ ended_at: sql`now() - make_interval(days => ${days})` })
        .where('pipeline_id', '=', id)
        .where('number', '=', number)
        .execute(),
    pin: (number: number, pinned: boolean) => team.leader.call(running.pin, { ...one(number), body: { pinned } }),
    /** What is left of each build. */
    left: async () => {
      await removeDue(app.ctx())
      await app.drainJobs()
      const list: string[] = []
      for (let number = 1; number <= count; number += 1) {
        const { stages, artifactNum, state } = await get(number)
        const [step] = stages.flatMap(({ steps }) => steps)
        list.push(`${state}: ${step ? `${step.logLines} lines, ${artifactNum} files` : 'emptied'}`)
      }
      return list
    },
  }
}

const full = 'failed: 1 lines, 1 files'
const emptied = 'failed: emptied'

test('only the rows of builds older than the newest ones are kept', async () => {
  const pipeline = await ended({ keepBuilds: 1 }, 3)
  expect(await pipeline.left()).toEqual([emptied, emptied, full])
  const { items } = await pipeline.call(builds.list, { params: { id: pipeline.one(1).params.id }, query: {} })
  expect(items.map(({ number, emptiedAt }) => [number, emptiedAt !== null])).toEqual([
    [3, false],
    [2, true],
    [1, true],
  ])
})

test('a pinned build keeps everything and does not count, until it is unpinned', async () => {
  const pipeline = await ended({ keepBuilds: 1 }, 3)
  await pipeline.pin(1, true)
  expect(await pipeline.left()).toEqual([full, emptied, full])
  await expect(pipeline.call(builds.remove, pipeline.one(1))).rejects.toMatchObject({ key: 'pipelines-build-pinned' })
  await pipeline.pin(1, false)
  expect(await pipeline.left()).toEqual([emptied, emptied, full])
})

test('logs, artifacts and whole builds each have their own number of days', async () => {
  const pipeline = await ended({ retention: { days: 90, logDays: 30, artifactDays: 7 } }, 4)
  for (const [number, days] of [
    [1, 91],
    [2, 31],
    [3, 8],
    [4, 6],
  ] as const)
    await pipeline.age(number, days)
  expect(await pipeline.left()).toEqual([emptied, 'failed: 0 lines, 0 files', 'failed: 1 lines, 0 files', full])
  const build = await pipeline.get(2)
  expect([build.logsRemovedAt, build.artifactsRemovedAt]).toEqual([expect.any(String), expect.any(String)])
})

test('nothing is removed without a limit, and removed data leaves the store', async () => {
  const kept = await ended({}, 1)
  await kept.age(1, 3000)
  expect(await kept.left()).toEqual([full])
  const stored = async () => {
    const keys: string[] = []
    for await (const { key } of blobs.list('artifacts')) keys.push(key)
    return keys.length
  }
  const before = await stored()
  const pipeline = await ended({ retention: { days: 1, logDays: 0, artifactDays: 0 } }, 1)
  await pipeline.age(1, 2)
  expect(await pipeline.left()).toEqual([emptied])
  expect(await stored()).toBe(before)
})

test('retrying an emptied build is refused with the reason', async () => {
  const pipeline = await ended({ retention: { days: 1, logDays: 0, artifactDays: 0 } }, 1)
  await pipeline.age(1, 2)
  await pipeline.left()
  await expect(pipeline.call(builds.retry, { ...pipeline.one(1), body: {} })).rejects.toMatchObject({
    key: 'pipelines-build-emptied',
  })
})
