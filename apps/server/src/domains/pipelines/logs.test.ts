import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builds } from '@gantry/contract/pipelines/builds'
import { beforeAll, describe, expect, test } from 'vitest'
import { folderBlobs } from '../../adapters/blobs/folder.ts'
import { testAgent, testPipeline } from '../../../test/build-agent.ts'
import { testApp } from '../../../test/test-app.ts'
import { collectLost } from './leases.service.ts'

const blobs = await folderBlobs({ folder: mkdtempSync(join(tmpdir(), 'gantry-blobs-')), reserve: 0 })
const app = await testApp({ ports: { blobs } })
let team: Awaited<ReturnType<typeof app.team>>

beforeAll(async () => {
  team = await app.team()
})

async function running() {
  const pipeline = await testPipeline(app, team)
  const params = { id: pipeline.id }
  const { number } = await team.leader.call(builds.trigger, { params, body: {} })
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const [work] = (await agent.claim(1)).work
  if (!work) throw new Error('nothing was claimed')
  const held = { buildId: work.buildId, attempt: work.attempt }
  return {
    agent,
    held,
    log: (offset: number, text: string, times?: string) => agent.log(held, 0, offset, text, times),
    /** Ends the build, and makes a blob of its log. */
    async end(bytes: number) {
      const step = { type: 'step' as const, step: 0, at: 0 }
      await agent.events(held, 1, [
        { ...step, state: 'building' },
        { ...step, state: 'success', exitCode: 0 },
        { type: 'end', state: 'success', logs: [{ step: 0, bytes }] },
      ])
      await app.drainJobs()
    },
    read: async (query: object = {}) =>
      (await team.leader.call(builds.log, { params: { ...params, number, stage: 'only' }, query })).lines.map(
        ({ n, at }) => [n, at],
      ),
  }
}

const t = 1_764_000_000_000

describe('lines of a log have the time at which the agent read them', () => {
  test('while it grows, in its blob, at its end, in any range and in a search', async () => {
    const { log, read, end } = await running()
    await log(0, 'one\ntwo\nthr', `0:${t}`)
    await log(11, 'ee\nfour\nfive\n', `0:${t + 1000},8:${t + 2000}`)
    const times = [
      [0, t],
      [1, t],
      [2, t],
      [3, t + 1000],
      [4, t + 2000],
    ]
    const inAllWays = async () => {
      expect(await read()).toEqual(times)
      expect(await read({ offset: 2, limit: 2 })).toEqual(times.slice(2, 4))
      expect(await read({ offset: -1, limit: 1 })).toEqual(times.slice(4))
      expect(await read({ search: 'f' })).toEqual(times.slice(3))
    }
    await inAllWays()
    await end(24)
    await inAllWays()
  })

  test('an agent that tells none has a log without times, before and after', async () => {
    const { log, read, end } = await running()
    await log(0, 'one\ntwo\n')
    expect(await read()).toEqual([
      [0, null],
      [1, null],
    ])
    await end(8)
    expect(await read()).toEqual([
      [0, null],
      [1, null],
    ])
  })

  test('a log that got its times on the way has them from there on', async () => {
    const { log, read } = await running()
    await log(0, 'one\n')
    await log(4, 'two\n', `0:${t}`)
    await log(8, 'three\n')
    expect(await read()).toEqual([
      [0, null],
      [1, t],
      [2, t],
    ])
  })

  test('row F15: what comes twice keeps the time that it had first', async () => {
    const { log, read } = await running()
    await log(0, 'one\ntwo\n', `0:${t}`)
    await log(0, 'one\ntwo\n', `0:${t + 5000}`)
    await log(4, 'two\nthree\n', `0:${t + 6000}`)
    expect(await read()).toEqual([
      [0, t],
      [1, t],
      [2, t + 6000],
    ])
  })

  test('an agent whose clock was set back does not turn the log around', async () => {
    const { log, read } = await running()
    await log(0, 'one\n', `0:${t}`)
    await log(4, 'two\n', `0:${t - 9000}`)
    expect(await read()).toEqual([
      [0, t],
      [1, t],
    ])
  })

  test('a build that is taken up anew begins without times', async () => {
    const { agent, held, log, read } = await running()
    await log(0, 'one\n', `0:${t}`)
    await app.db
      .updateTable('build')
      .set({ lease_until: new Date(0) })
      .where('id', '=', held.buildId)
      .execute()
    await collectLost(app.ctx())
    const [work] = (await agent.claim(1)).work
    await agent.log({ buildId: held.buildId, attempt: work?.attempt ?? 0 }, 0, 0, 'uno\n')
    expect(await read()).toEqual([[0, null]])
  })

  test('row 83: what is no list of times is refused', async () => {
    const { log } = await running()
    for (const times of ['0', 'x:1', `0:${t},`, `-1:${t}`, `0:${t}`.repeat(200), '0:1e300'])
      expect(await log(0, 'one\n', times)).toMatchObject({ status: 400 })
  })
})
