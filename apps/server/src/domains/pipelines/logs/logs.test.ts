import { zstdCompressSync } from 'node:zlib'
import { stepLogBytes } from '@gantry/agent-protocol/protocol'
import { builds } from '@gantry/contract/pipelines/builds'
import { eventually } from '@gantry/waiting/eventually'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { folderBlobs } from '../../../adapters/blobs/folder.ts'
import { runningBuild } from '../../../../test/build-agent.ts'
import { heldBy } from '../../../../test/held-memory.ts'
import { testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { collectLost } from '../queue/leases.service.ts'
import { encodeLog, logWriter } from './log-blob/write.ts'
import { logText } from './logs.service.ts'
import { logsOfBuild, replacePieces } from './logs.store.ts'

const blobs = await folderBlobs({ folder: testFolder('blobs'), reserve: 0 })
const app = await testApp({ ports: { blobs } })
let team: Awaited<ReturnType<typeof app.team>>

beforeAll(async () => {
  team = await app.team()
})

async function running() {
  const { pipeline, number, agent, held } = await runningBuild(app, team)
  const answer = (query: object = {}) =>
    team.leader.call(builds.log, { params: { id: pipeline.id, number, stage: 'only' }, query })
  return {
    agent,
    held,
    log: (offset: number, text: string | Buffer, times?: string) => agent.log(held, 0, offset, text, times),
    /** Ends the build and packs its log into a blob. */
    async end(bytes: number) {
      const step = { type: 'step' as const, step: 0, at: 0 }
      await agent.events(held, 1, [
        { ...step, state: 'building' },
        { ...step, state: 'success', exitCode: 0 },
        { type: 'end', state: 'success', logs: [{ step: 0, bytes }] },
      ])
      await app.drainJobs()
    },
    answer,
    texts: async (query?: object) => (await answer(query)).lines.map(({ text }) => text),
    times: async (query?: object) => (await answer(query)).lines.map(({ n, at }) => [n, at]),
  }
}

test('repeated log bytes are skipped, and a gap is refused with the offset to continue at', async () => {
  const { log, texts } = await running()
  await log(0, 'one\ntwo\n')
  expect((await log(4, 'two\nthree\n')).data.next).toBe(14)
  expect((await log(0, 'one\n')).data.next).toBe(14)
  expect(await log(99, 'x')).toMatchObject({ status: 409, message: 'agents-log-gap' })
  expect(await texts()).toEqual(['one', 'two', 'three'])
})

test('a log beyond its size limit is refused, and what was stored before is kept', async () => {
  const { held, log, answer } = await running()
  await app.db
    .updateTable('build_step')
    .set({ log_bytes: stepLogBytes - 4 })
    .where('build_id', '=', held.buildId)
    .execute()
  expect(await log(stepLogBytes - 4, 'one\ntwo\n')).toMatchObject({ status: 413, message: 'agents-log-too-long' })
  expect((await log(stepLogBytes - 4, 'one\n')).data.next).toBe(stepLogBytes)
  expect((await answer()).total).toBe(1)
})

test('a build whose agent gave up a log ends, even if more of the log had arrived than the agent knew', async () => {
  const { log, end, answer } = await running()
  await log(0, 'one\ntwo\n')
  await end(4)
  expect(await answer()).toMatchObject({ complete: true, total: 2 })
})

test('any log in any chunks is read back in any range, growing and packed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.string({ unit: 'grapheme', maxLength: 30 }).map((s) => s.replaceAll(/[\r\n]/g, ' ')),
        { minLength: 1, maxLength: 60 },
      ),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
      fc.nat(60),
      fc.integer({ min: 1, max: 60 }),
      async (lines, cuts, offset, limit) => {
        const { log, texts, end } = await running()
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
        let sent = 0
        for (let turn = 0; sent < bytes.length; turn++) {
          const piece = bytes.subarray(sent, sent + (cuts[turn % cuts.length] ?? 1))
          await log(sent, piece)
          sent += piece.length
        }
        const wanted = lines.slice(offset, offset + limit)
        expect(await texts({ offset, limit })).toEqual(wanted)
        await end(bytes.length)
        expect(await texts({ offset, limit })).toEqual(wanted)
      },
    ),
    { numRuns: 15 },
  )
})

test('a log that is packed during a read is read on from the blob', async () => {
  const { held, log, texts } = await running()
  await log(0, 'one\ntwo\n')
  await log(8, 'three\n')
  await app.db
    .updateTable('build')
    .set({ ended_at: sql`now()` })
    .where('id', '=', held.buildId)
    .execute()
  const [growing] = await logsOfBuild(app.db, held.buildId)
  if (!growing) throw new Error('the build has no step')
  const download = logText(app.ctx(), growing)
  expect(String((await download.next()).value)).toBe('one\ntwo\n')
  const writer = logWriter()
  const { key } = await blobs.put('logs', encodeLog(logText(app.ctx(), growing), writer))
  const reading = await app.db.transaction().execute(async (db) => {
    await sql`lock table build_log_chunk in access exclusive mode`.execute(db)
    const answer = texts()
    // the reader has found that there are pieces, and waits for them
    await eventually(async () => {
      const waiting = await sql<{ n: number }>`select count(*)::int as n from pg_locks where not granted
        and relation = 'build_log_chunk'::regclass`.execute(app.db)
      expect(waiting.rows).toEqual([{ n: 1 }])
    })
    await replacePieces(db, growing, key, writer.totals.lines)
    // in an array, because a transaction would await a returned promise
    return [answer]
  })
  expect(await reading[0]).toEqual(['one', 'two', 'three'])
  const rest: Buffer[] = []
  for await (const block of download) rest.push(block)
  expect(Buffer.concat(rest).toString()).toBe('three\n')
})

test('packing the log of an attempt after its retry began removes nothing of the new log', async () => {
  const { pipeline, number, agent, held } = await runningBuild(app, team)
  await agent.log(held, 0, 0, 'one\n')
  await agent.events(held, 1, [{ type: 'end', state: 'failed', logs: [] }])
  await team.leader.call(builds.retry, { params: { id: pipeline.id, number }, body: {} })
  const [again] = (await agent.claim(1)).work
  if (!again) throw new Error('nothing was claimed')
  await agent.log(again, 0, 0, 'two\n')
  // only now the job runs that the first end enqueued
  await app.drainJobs()
  await agent.log(again, 0, 4, 'three\n')
  await agent.events(again, 1, [{ type: 'end', state: 'failed', logs: [{ step: 0, bytes: 10 }] }])
  await app.drainJobs()
  const read = await team.leader.call(builds.log, { params: { id: pipeline.id, number, stage: 'only' }, query: {} })
  expect(read.lines.map(({ text }) => text)).toEqual(['two', 'three'])
})

test('the log of a build whose agent is lost for good is packed too', async () => {
  const { held, log, texts } = await running()
  await log(0, 'last words\n')
  await app.db
    .updateTable('build_job')
    .set({ lease_until: new Date(0) })
    .where('id', '=', held.jobId)
    .execute()
  await app.db.updateTable('build').set({ cancelled: true }).where('id', '=', held.buildId).execute()
  await collectLost(app.ctx())
  await app.drainJobs()
  const pieces = await app.db
    .selectFrom('build_log_chunk')
    .select('step')
    .where('build_id', '=', held.buildId)
    .execute()
  expect(pieces).toEqual([])
  expect(await texts()).toEqual(['last words'])
})

test('the tail of a log, and a search over all its lines', async () => {
  const { log, answer } = await running()
  await log(0, Array.from({ length: 5000 }, (_, n) => `line ${n}${n % 1000 === 7 ? ' NEEDLE' : ''}\n`).join(''))
  expect((await answer({ offset: -1, limit: 2 })).lines).toEqual([
    { n: 4998, at: null, text: 'line 4998' },
    { n: 4999, at: null, text: 'line 4999' },
  ])
  const hits = await answer({ search: 'needle', limit: 3 })
  expect(hits).toMatchObject({ total: 5, truncated: false })
  expect(hits.lines.map((line) => line.n)).toEqual([7, 1007, 2007])
})

test('a search of a build finds lines of all its steps, page by page, growing and packed', async () => {
  const { pipeline, number, agent, held } = await runningBuild(
    app,
    team,
    ['one', 'two', 'three'].map((name) => ({ type: 'script', name, run: 'true' })),
  )
  const texts = ['a Needle\nhay\nneedle\n', '', 'hay\nthe last needle']
  for (const [step, text] of texts.entries()) if (text !== '') await agent.log(held, step, 0, text)
  const find = (query: object) =>
    team.leader.call(builds.searchLog, {
      params: { id: pipeline.id, number },
      query: { search: 'NEEDLE', ...query },
    })
  const all = [
    { step: 0, n: 0, text: 'a Needle' },
    { step: 0, n: 2, text: 'needle' },
    { step: 2, n: 1, text: 'the last needle' },
  ]
  const check = async () => {
    expect(await find({})).toEqual({ hits: all, next: null })
    expect(await find({ limit: 1 })).toEqual({ hits: all.slice(0, 1), next: { step: 0, line: 2 } })
    expect(await find({ limit: 1, step: 0, line: 2 })).toEqual({ hits: all.slice(1, 2), next: { step: 2, line: 1 } })
    expect(await find({ limit: 1, step: 2, line: 1 })).toEqual({ hits: all.slice(2), next: null })
    expect(await find({ search: 'nowhere' })).toEqual({ hits: [], next: null })
  }
  await check()
  await agent.events(held, 1, [
    ...texts.flatMap((_, step) => [
      { type: 'step' as const, step, at: 0, state: 'building' as const },
      { type: 'step' as const, step, at: 0, state: 'success' as const, exitCode: 0 },
    ]),
    { type: 'end', state: 'success', logs: texts.map((text, step) => ({ step, bytes: text.length })) },
  ])
  await app.drainJobs()
  await check()
  await expect(
    team.leader.call(builds.searchLog, { params: { id: pipeline.id, number: 99 }, query: { search: 'x' } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('compressed log bytes are stored decompressed, within the size limit', async () => {
  const { agent, held, texts } = await running()
  const send = (payload: Buffer, encoding: string) =>
    agent.caller.raw({
      method: 'POST',
      url: `/api/agent/jobs/${held.jobId}/steps/0/log?attempt=${held.attempt}&offset=0`,
      headers: { 'content-type': 'application/octet-stream', 'content-encoding': encoding },
      payload,
    })
  expect((await send(zstdCompressSync(Buffer.alloc(5 * 1024 * 1024)), 'zstd')).statusCode).toBe(413)
  expect((await send(Buffer.from('x'), 'br')).statusCode).toBe(415)
  expect((await send(zstdCompressSync(Buffer.from('packed\nlines\n')), 'zstd')).json()).toMatchObject({
    data: { next: 13 },
  })
  expect(await texts()).toEqual(['packed', 'lines'])
})

const t = 1_764_000_000_000

describe('a line of a log has the time at which the agent read it', () => {
  test('in a growing log, in a blob, at the end, in any range and in a search', async () => {
    const { log, times, end } = await running()
    await log(0, 'one\ntwo\nthr', `0:${t}`)
    await log(11, 'ee\nfour\nfive\n', `0:${t + 1000},8:${t + 2000}`)
    const expected = [
      [0, t],
      [1, t],
      [2, t],
      [3, t + 1000],
      [4, t + 2000],
    ]
    const inAllWays = async () => {
      expect(await times()).toEqual(expected)
      expect(await times({ offset: 2, limit: 2 })).toEqual(expected.slice(2, 4))
      expect(await times({ offset: -1, limit: 1 })).toEqual(expected.slice(4))
      expect(await times({ search: 'f' })).toEqual(expected.slice(3))
    }
    await inAllWays()
    await end(24)
    await inAllWays()
  })

  test('a log whose agent reports no times has none, growing and packed', async () => {
    const { log, times, end } = await running()
    await log(0, 'one\ntwo\n')
    expect(await times()).toEqual([
      [0, null],
      [1, null],
    ])
    await end(8)
    expect(await times()).toEqual([
      [0, null],
      [1, null],
    ])
  })

  test('a log whose times begin midway has times from there on', async () => {
    const { log, times } = await running()
    await log(0, 'one\n')
    await log(4, 'two\n', `0:${t}`)
    await log(8, 'three\n')
    expect(await times()).toEqual([
      [0, null],
      [1, t],
      [2, t],
    ])
  })

  test('repeated bytes keep their first time', async () => {
    const { log, times } = await running()
    await log(0, 'one\ntwo\n', `0:${t}`)
    await log(0, 'one\ntwo\n', `0:${t + 5000}`)
    await log(4, 'two\nthree\n', `0:${t + 6000}`)
    expect(await times()).toEqual([
      [0, t],
      [1, t],
      [2, t + 6000],
    ])
  })

  test('an agent whose clock is set back does not reorder the log', async () => {
    const { log, times } = await running()
    await log(0, 'one\n', `0:${t}`)
    await log(4, 'two\n', `0:${t - 9000}`)
    expect(await times()).toEqual([
      [0, t],
      [1, t],
    ])
  })

  test('a new attempt of a build begins without times', async () => {
    const { agent, held, log, times } = await running()
    await log(0, 'one\n', `0:${t}`)
    await app.db
      .updateTable('build_job')
      .set({ lease_until: new Date(0) })
      .where('id', '=', held.jobId)
      .execute()
    await collectLost(app.ctx())
    const [work] = (await agent.claim(1)).work
    await agent.log({ jobId: held.jobId, attempt: work?.attempt ?? 0 }, 0, 0, 'uno\n')
    expect(await times()).toEqual([[0, null]])
  })

  test('an invalid list of times is refused', async () => {
    const { log } = await running()
    for (const times of ['0', 'x:1', `0:${t},`, `-1:${t}`, `0:${t}`.repeat(200), '0:1e300'])
      expect(await log(0, 'one\n', times)).toMatchObject({ status: 400 })
  })
})

describe('a log of one line without an end', () => {
  const piece = Buffer.alloc(1024 * 1024, 'x')
  const size = 24 * piece.length
  const giant = async () => {
    const build = await running()
    await build.log(0, 'first\n')
    for (let sent = 0; sent < size; sent += piece.length) await build.log(6 + sent, piece)
    return build
  }

  const shortened = `${'x'.repeat(8000)} … [+${size - 16_000} B] … ${'x'.repeat(8000)}`

  test('shows both ends and the number of missing characters, and is cheap to read, growing and packed', async () => {
    const { answer, texts, end } = await giant()
    expect(await heldBy(answer, size / 4)).toBeLessThan(size / 4)
    expect(await texts()).toEqual(['first', shortened])
    expect(await texts({ offset: -1, limit: 1 })).toEqual([shortened])
    await end(6 + size)
    expect(await texts()).toEqual(['first', shortened])
  })

  test('is searched in one pass that keeps only its ends', async () => {
    const { log, answer, texts } = await giant()
    await log(6 + size, '\nthe needle\n')
    expect((await answer({ offset: 2 })).lines).toEqual([{ n: 2, at: null, text: 'the needle' }])
    expect(await texts({ search: 'xx' })).toEqual([shortened])
    expect(await answer({ search: 'needle' })).toMatchObject({ total: 1, lines: [{ n: 2, text: 'the needle' }] })
  })
})

test('an answer of many long lines cuts the later ones to their ends', async () => {
  const { log, texts, end } = await running()
  const line = `${'y'.repeat(15_999)}\n`
  let sent = 0
  for (let turn = 0; turn < 10; turn++) sent = (await log(sent, line.repeat(100))).data.next
  const short = `${'y'.repeat(100)} … [+15799 B] … ${'y'.repeat(100)}`
  const check = async () => {
    const all = await texts({ limit: 1000 })
    expect(all).toHaveLength(1000)
    expect(all[0]).toHaveLength(15_999)
    expect(all.at(-1)).toBe(short)
    expect(all.join('').length).toBeLessThan(3_000_000)
    expect((await texts({ offset: 999 }))[0]).toHaveLength(15_999)
    expect((await texts({ search: 'y', limit: 1000 })).at(-1)).toBe(short)
  }
  await check()
  await end(sent)
  await check()
})
