import { builds } from '@gantry/contract/pipelines/builds'
import { describe, expect, test } from 'vitest'
import { folderBlobs } from '../../../adapters/blobs/folder.ts'
import { runningBuild } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'

const blobs = await folderBlobs({ folder: testFolder('blobs'), reserve: 0 })
const app = await testApp({ ports: { blobs } })
const esc = '\u001b'

/** A step that writes what a test gives it, and functions to read the log as users see it. */
async function writing() {
  const team = await app.team()
  const { pipeline, number, agent, held } = await runningBuild(app, team)
  let sent = 0
  const texts = async (query: object = {}) =>
    (await team.leader.call(builds.log, { params: { id: pipeline.id, number, stage: 'only' }, query })).lines.map(
      ({ text }) => text,
    )
  return {
    async write(...parts: (string | Buffer)[]) {
      for (const part of parts) sent = (await agent.log(held, 0, sent, part)).data.next
    },
    /** Sends bytes again that the server has. */
    again: (offset: number, text: string) => agent.log(held, 0, offset, text),
    texts,
    async found(search: string) {
      const { hits } = await team.leader.call(builds.searchLog, {
        params: { id: pipeline.id, number },
        query: { search },
      })
      return hits.map(({ text }) => text)
    },
    download: async () =>
      (await team.leader.raw({ method: 'GET', url: `/api/v2/pipelines/${pipeline.id}/builds/${number}/steps/0/log` }))
        .body,
    async stored() {
      const pieces = await app.db
        .selectFrom('build_log_chunk')
        .select(['data', 'bytes'])
        .where('build_id', '=', held.buildId)
        .execute()
      return { pieces: pieces.length, bytes: pieces.reduce((sum, { data }) => sum + data.length, 0) }
    },
    async end() {
      const step = { type: 'step' as const, step: 0, at: 0 }
      await agent.events(held, 1, [
        { ...step, state: 'building' },
        { ...step, state: 'success', exitCode: 0 },
        { type: 'end', state: 'success', logs: [{ step: 0, bytes: sent }] },
      ])
      await app.drainJobs()
    },
  }
}

/** Checks the log while it grows, and once it is packed. */
async function inBoth(log: Awaited<ReturnType<typeof writing>>, check: () => Promise<void>) {
  await check()
  await log.end()
  await check()
}

const bar = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, n) => `\rstep ${String(from + n).padStart(6, '0')}`).join('')

test('an open line is shown as far as it is written, and stored in one piece', async () => {
  const log = await writing()
  await log.write('first\n', 'tests: ')
  for (let n = 1; n <= 8; n++) {
    await log.write('.')
    expect(await log.texts()).toEqual(['first', `tests: ${'.'.repeat(n)}`])
  }
  expect((await log.stored()).pieces).toBe(2)
  await log.write(' FAILED 3 of 8\nafter\n')
  await inBoth(log, async () => expect(await log.texts()).toEqual(['first', 'tests: ........ FAILED 3 of 8', 'after']))
})

describe('a progress bar', () => {
  test.each([
    [2000, 1],
    [7000, 100],
    [100_000, 5],
  ])('with %i rewrites, sent in %i parts, is reduced to its last state everywhere', async (rewrites, parts) => {
    const log = await writing()
    await log.write('before\n')
    const some = rewrites / parts
    for (let part = 0; part < parts; part++) await log.write(bar(part * some, (part + 1) * some))
    expect(await log.texts()).toEqual(['before', `step ${String(rewrites - 1).padStart(6, '0')}`])
    // only the last state is stored
    const { pieces, bytes } = await log.stored()
    expect(pieces).toBe(2)
    expect(bytes).toBeLessThan(100)
    await log.write('\rERROR: it broke\n')
    await inBoth(log, async () => {
      expect(await log.texts()).toEqual(['before', 'ERROR: it broke'])
      expect(await log.found('it broke')).toEqual(['ERROR: it broke'])
      expect(await log.found('step 0')).toEqual([])
      expect(await log.download()).toBe('before\nERROR: it broke\n')
    })
  })

  test('after and before other text is correct, even if characters and sequences are cut', async () => {
    const all = Buffer.from(`下载: 1 %\r下载: 99 %${esc}[K\r${esc}[32m完成${esc}[0m${esc}[K，好\nnext`)
    for (const size of [1, 2, 3, 5]) {
      const log = await writing()
      const parts = Array.from({ length: Math.ceil(all.length / size) }, (_, n) =>
        all.subarray(n * size, (n + 1) * size),
      )
      await log.write(...parts)
      await inBoth(log, async () => expect(await log.texts()).toEqual([`${esc}[32m完成${esc}[0m，好`, 'next']))
    }
  })

  test('that is partly sent again is stored once', async () => {
    const log = await writing()
    const all = `${bar(0, 100)}\rdone here\n`
    await log.write(bar(0, 50))
    expect((await log.again(0, all)).data.next).toBe(all.length)
    expect((await log.again(40, all.slice(40))).data.next).toBe(all.length)
    expect(await log.texts()).toEqual(['done here99'])
  })
})

describe('colours', () => {
  test('continue over lines, so that a line has them without the lines before it', async () => {
    const log = await writing()
    await log.write(`${esc}[32mgreen begins\n`)
    for (let from = 0; from < 5000; from += 500)
      await log.write(Array.from({ length: 500 }, (_, n) => `line ${from + n + 1}\n`).join(''))
    await log.write(`${esc}[0`, 'mplain\n\nend')
    await inBoth(log, async () => {
      expect(await log.texts({ offset: 5000, limit: 4 })).toEqual([
        `${esc}[32mline 5000`,
        `${esc}[32m${esc}[0mplain`,
        '',
        'end',
      ])
      expect(await log.found('line 4999')).toEqual([`${esc}[32mline 4999`])
    })
  })
})

test('a downloaded line is whole up to a megabyte, and a longer one has both ends', async () => {
  const log = await writing()
  const long = 'x'.repeat(1024 * 1024)
  await log.write(`${long}\n`, `BEGIN ${long}`, `${long} END\n`)
  await inBoth(log, async () => {
    const [whole, cut = '', last] = (await log.download()).split('\n')
    expect([whole === long, last]).toEqual([true, ''])
    expect(cut).toMatch(/^BEGIN x+ … \[\+\d+ B\] … x+ END$/)
    expect((await log.texts())[0]).toMatch(/^x{8000} … \[\+\d+ B\] … x{8000}$/)
  })
})
