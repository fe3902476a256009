import { artifacts } from '@gantry/contract/pipelines/artifacts'
import { builds } from '@gantry/contract/pipelines/builds'
import type { StageInput } from '@gantry/contract/pipelines/definition'
import { tests } from '@gantry/contract/pipelines/findings/tests'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { folderBlobs } from '../../../adapters/blobs/folder.ts'
import { type Held, testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { packLogs } from '../logs/logs.jobs.ts'
import { collectLost } from '../queue/leases.service.ts'
import { removeDue } from '../retention/retention.service.ts'
import { sweepBlobs } from '../uploads/blobs.jobs.ts'

const blobs = await folderBlobs({ folder: testFolder('blobs'), reserve: 0 })
const artifactBytes = 1000
const app = await testApp({ ports: { blobs }, config: { buildArtifactBytes: artifactBytes } })
let team: Awaited<ReturnType<typeof app.team>>

beforeAll(async () => {
  team = await app.team()
})

const at = 0
const run = { type: 'script' as const, name: 'run', run: 'true' }
const plain: StageInput[] = [{ name: 'only', steps: [run] }]
const retried: StageInput[] = [{ name: 'only', jobs: [{ name: 'job', retries: { count: 1 }, steps: [run] }] }]

async function triggered(stages: StageInput[] = plain) {
  const pipeline = await testPipeline(app, team, [], stages)
  const { id, appId, projectName } = pipeline
  const agent = await testAgent(app, { labels: [projectName] })
  const { number } = await team.leader.call(builds.trigger, { params: { id }, body: {} })
  const params = { id, number }
  const claim = async () => {
    const [work] = (await agent.claim(1)).work
    if (!work) throw new Error('nothing was claimed')
    return work
  }
  /** Uploads a log, an artifact, a report and an image in this attempt. */
  const leave = async (job: Held, { text = `attempt ${job.attempt}\n`, size = 10 } = {}) => {
    await agent.events(job, 1, [{ type: 'step', step: 0, state: 'building', at }])
    await agent.log(job, 0, 0, text)
    const stored = await agent.upload(job, 0, 'artifacts', 'out.txt', `${job.attempt}`.repeat(size))
    await agent.upload(job, 0, 'reports', 'junit.xml', junit(job.attempt))
    const digest = `sha256:${String(job.attempt).repeat(64).slice(0, 64)}`
    const image = { type: 'image' as const, step: 0, registryId: 1, image: 'reg.example/app', digest, size: 1 }
    await agent.events(job, 2, [{ ...image, tag: `t${job.attempt}` }])
    return { stored, bytes: text.length }
  }
  const end = async (job: Held, state: 'success' | 'failed', bytes = 10) => {
    await agent.events(job, 3, [
      { type: 'step', step: 0, state, exitCode: state === 'failed' ? job.attempt : 0, at },
      { type: 'end', state, logs: [{ step: 0, bytes }] },
    ])
    await app.drainJobs()
  }
  return {
    id,
    number,
    agent,
    claim,
    leave,
    end,
    /** Runs one attempt from its claim to its end. */
    async attempt(state: 'success' | 'failed', more: Parameters<typeof leave>[1] = {}) {
      const job = await claim()
      const { bytes, stored } = await leave(job, more)
      await end(job, state, bytes)
      return { stored }
    },
    retry: () => team.leader.call(builds.retry, { params, body: {} }),
    read: (query: object = {}) => team.leader.call(builds.get, { params, query }),
    texts: async (query: object = {}) =>
      (await team.leader.call(builds.log, { params: { ...params, stage: 'only' }, query })).lines.map(
        ({ text }) => text,
      ),
    found: async (query: { search: string; attempt: number }) =>
      (await team.leader.call(builds.searchLog, { params, query })).hits.map(({ text }) => text),
    file: async (path: string) =>
      (await team.leader.raw({ method: 'GET', url: `/api/v2/pipelines/${id}/builds/${number}/${path}` })).body,
    files: (query: object = {}) => team.leader.call(artifacts.list, { params, query }),
    tree: async (query: object = {}) => (await team.leader.call(artifacts.tree, { params, query })).items,
    cases: async (query: object = {}) =>
      (await team.leader.call(tests.list, { params, query })).items.map(({ name, state }) => `${name} ${state}`),
    remove: () => team.leader.call(builds.remove, { params }),
    keep: async (retention: { days: number; logDays: number; artifactDays: number }) => {
      const params = { appId, pipelineId: id }
      const { revision: _, ...now } = await team.leader.call(pipelines.setting, { params })
      await team.leader.call(pipelines.setSetting, { params, body: { ...now, retention } })
      await sql`update build set ended_at = now() - interval '2 days' where pipeline_id = ${id}`.execute(app.db)
      await removeDue(app.ctx())
    },
  }
}

/** Fails in the first attempt only. */
const junit = (attempt: number) =>
  `<testsuite name="s"><testcase name="case ${attempt}">${attempt === 1 ? '<failure message="no"/>' : ''}</testcase></testsuite>`

/** The number of blobs once garbage has been removed. */
async function stored(): Promise<number> {
  await sweepBlobs(app.ctx())
  await app.drainJobs()
  const keys: string[] = []
  for (const area of ['artifacts', 'logs'] as const) for await (const { key } of blobs.list(area)) keys.push(key)
  return keys.length
}

describe('an attempt that failed stays readable after a retry', () => {
  const ways: Record<string, { stages: StageInput[]; byHand: boolean }> = {
    'by hand': { stages: plain, byHand: true },
    'by itself': { stages: retried, byHand: false },
  }
  test.each(Object.entries(ways))('%s', async (_way, { stages, byHand }) => {
    const build = await triggered(stages)
    await build.attempt('failed')
    if (byHand) await build.retry()
    // while the job waits, and while it runs again
    expect(await build.texts({ attempt: 1 })).toEqual(['attempt 1'])
    const job = await build.claim()
    await build.leave(job)
    expect([await build.texts({ attempt: 1 }), await build.texts()]).toEqual([['attempt 1'], ['attempt 2']])
    await build.end(job, 'success')

    const latest = await build.read()
    expect(latest).toMatchObject({ state: 'success', stages: [{ state: 'success' }], tests: { failed: 0 } })
    expect(latest.attempts).toMatchObject([
      { job: 0, attempt: 1, state: 'failed', agentName: build.agent.name, endedAt: expect.any(String) as string },
      { job: 0, attempt: 2, state: 'success', agentName: build.agent.name },
    ])
    const first = await build.read({ attempt: 1 })
    expect(first).toMatchObject({
      state: 'success',
      tests: { total: 1, failed: 1 },
      artifactNum: 1,
      images: [{ tag: 't1', step: 'run', buildNumber: build.number }],
      stages: [{ state: 'failed', steps: [{ state: 'failed', exitCode: 1, logLines: 1 }] }],
    })
    for (const [attempt, tag] of [
      [undefined, 't2'],
      [1, 't1'],
      [2, 't2'],
    ] as const) {
      const query = attempt === undefined ? {} : { attempt }
      const n = attempt ?? 2
      expect((await build.read(query)).images).toMatchObject([{ tag }])
      expect(await build.texts(query)).toEqual([`attempt ${n}`])
      expect(await build.cases(query)).toEqual([`case ${n} ${n === 1 ? 'failed' : 'passed'}`])
      expect(await build.tree(query)).toMatchObject([{ name: 'out.txt', size: 10 }])
      const [file] = await build.files(query)
      expect(await build.file(`artifacts/${file?.id}`)).toBe(`${n}`.repeat(10))
      const of = attempt === undefined ? '' : `?attempt=${attempt}`
      expect(await build.file(`steps/0/log${of}`)).toBe(`attempt ${n}\n`)
      expect(await build.file(`log${of}`)).toContain(`\nattempt ${n}\n`)
      expect((await build.file(`artifacts/zip${of}`)).includes(`${n}`.repeat(10))).toBe(true)
    }
    expect(await build.found({ search: 'attempt', attempt: 1 })).toEqual(['attempt 1'])
    const left = await sql`select from build_attempt_log_chunk join build_attempt on build_attempt.id = attempt_id
      join build on build.id = build_id where pipeline_id = ${build.id}`.execute(app.db)
    expect(left.rows).toEqual([])
  })

  test('also after its agent was lost, whose late log is refused', async () => {
    const build = await triggered()
    const job = await build.claim()
    await build.leave(job)
    await sql`update build_job set lease_until = now() - interval '1 second' where id = ${job.jobId}`.execute(app.db)
    await collectLost(app.ctx())
    expect(await build.agent.log(job, 0, 10, 'late\n')).toMatchObject({ status: 409, message: 'agents-attempt-over' })
    const late = await build.agent.upload(job, 0, 'artifacts', 'late.txt', 'x')
    expect(late.status).toBe(409)
    expect(await build.texts({ attempt: 1 })).toEqual(['attempt 1'])
    expect(await build.files({ attempt: 1 })).toMatchObject([{ path: 'out.txt' }])
    const { attempts, stages } = await build.read({ attempt: 1 })
    expect(attempts).toMatchObject([{ attempt: 1, state: 'failed' }])
    expect(attempts[0]?.message).toContain(build.agent.name)
    expect(stages).toMatchObject([{ state: 'failed' }])
  })
})

test('an attempt of one job shows nothing of the other jobs', async () => {
  const jobs = ['one', 'two'].map((name) => ({ name, steps: [run] }))
  const build = await triggered([{ name: 'only', jobs }])
  const claimed = (await build.agent.claim(2)).work.toSorted((a, b) => a.firstStep - b.firstStep)
  for (const [step, job] of claimed.entries()) {
    await build.agent.log(job, step, 0, `${step}\n`)
    await build.agent.upload(job, step, 'artifacts', `${step}.txt`, 'x')
  }
  for (const job of claimed) await build.agent.events(job, 1, [{ type: 'end', state: 'failed', logs: [] }])
  await build.retry()
  const second = await build.read({ job: 1, attempt: 1 })
  expect(second.stages[0]?.jobs).toMatchObject([{ state: 'queued' }, { state: 'failed', attempt: 1 }])
  expect(await build.files({ job: 1, attempt: 1 })).toMatchObject([{ path: '1.txt' }])
  expect(await build.texts({ job: 1, attempt: 1 })).toEqual(['1'])
  await expect(build.texts({ job: 1, attempt: 1, step: 0 })).rejects.toMatchObject({ status: 404 })
})

test('an attempt that does not exist is 404, like one of another build', async () => {
  const build = await triggered()
  await build.attempt('failed')
  for (const query of [{ attempt: 2 }, { job: 1, attempt: 1 }])
    for (const call of [build.read, build.texts, build.files, build.tree, build.cases])
      await expect(call(query)).rejects.toMatchObject({ status: 404, key: 'resource-missing' })
})

test('only the newest of very many attempts are kept, and the blobs of the others are deleted', async () => {
  const before = await stored()
  const build = await triggered()
  for (let n = 1; n <= 12; n += 1) {
    await build.attempt('failed')
    if (n < 12) await build.retry()
  }
  expect((await build.read()).attempts.map(({ attempt }) => attempt)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  expect(await stored()).toBe(before + 11 * 2)
  await build.remove()
  expect(await stored()).toBe(before)
})

test('artifacts of earlier attempts make room for those of the latest, the oldest first', async () => {
  const build = await triggered()
  for (let n = 1; n <= 3; n += 1) {
    expect((await build.attempt('failed', { size: 400 })).stored.status).toBe(200)
    if (n < 3) await build.retry()
  }
  const left = async (attempt: number) => (await build.read({ attempt })).artifactNum
  expect([await left(1), await left(2), await left(3)]).toEqual([0, 1, 1])
  await build.retry()
  expect((await build.attempt('failed', { size: artifactBytes + 1 })).stored).toMatchObject({ status: 409 })
})

describe('the retention also deletes from earlier attempts', () => {
  const forever = { days: 0, logDays: 0, artifactDays: 0 }
  const twice = async () => {
    const before = await stored()
    const build = await triggered()
    await build.attempt('failed')
    await build.retry()
    await build.attempt('failed')
    expect(await stored()).toBe(before + 4)
    return { build, before }
  }
  test('logs', async () => {
    const { build, before } = await twice()
    await build.keep({ ...forever, logDays: 1 })
    expect(await stored()).toBe(before + 2)
    expect(await build.texts({ attempt: 1 })).toEqual([])
    expect(await build.files({ attempt: 1 })).toHaveLength(1)
  })
  test('artifacts', async () => {
    const { build, before } = await twice()
    await build.keep({ ...forever, artifactDays: 1 })
    expect(await stored()).toBe(before + 2)
    expect([await build.files({ attempt: 1 }), await build.texts({ attempt: 1 })]).toEqual([[], ['attempt 1']])
  })
  test('all data', async () => {
    const { build, before } = await twice()
    await build.keep({ ...forever, days: 1 })
    expect(await stored()).toBe(before)
    expect((await build.read()).attempts).toEqual([])
  })
})

test('the end of the earlier attempt does not pack a log that is being written again', async () => {
  const build = await triggered()
  await build.attempt('failed')
  await build.retry()
  const job = await build.claim()
  await build.leave(job)
  await packLogs(app.ctx(), job.buildId)
  await app.drainJobs()
  await build.agent.log(job, 0, 10, 'more\n')
  expect(await build.texts()).toEqual(['attempt 2', 'more'])
})

test('a job that runs again counts its wait for an agent anew, though it keeps its place in the queue', async () => {
  const build = await triggered()
  await build.attempt('failed')
  const before = sql`queued_at = now() - interval '1 day', ready_at = now() - interval '1 day'`
  await sql`update build_job set ${before} where pipeline_id = ${build.id}`.execute(app.db)
  await build.retry()
  const { waits, attempts } = await build.read()
  expect(waits).toEqual([{ for: 'agent', stage: null, job: 0, from: expect.any(String), to: null }])
  const [entry] = await team.leader.call(builds.queue, { params: { id: build.id } })
  expect(entry?.queuedAt).toBe(waits[0]?.from)
  expect(Date.parse(entry?.queuedAt ?? '')).toBeGreaterThan(Date.parse(attempts[0]?.endedAt ?? ''))
  await build.attempt('success')
  const again = await build.read()
  expect(again.waits[0]?.to).toBe(again.attempts.at(-1)?.startedAt)
})

test('the pause before a retry counts neither for a job nor for its build', async () => {
  const build = await triggered()
  await build.attempt('failed')
  // it ran for a minute, a day ago
  const took = sql`started_at = now() - interval '1 day 1 minute', ended_at = now() - interval '1 day'`
  await sql`update build set ${took}, queued_at = now() - interval '1 day 2 minutes' where pipeline_id = ${build.id}`.execute(
    app.db,
  )
  await sql`update build_job set ${took} where pipeline_id = ${build.id}`.execute(app.db)
  await build.retry()
  await build.attempt('success')
  const { earlierSeconds, startedAt, attempts } = await build.read()
  expect(earlierSeconds).toBe(60)
  const [first, second] = attempts
  expect(Date.parse(first?.endedAt ?? '') - Date.parse(first?.startedAt ?? '')).toBe(60_000)
  expect(Date.parse(second?.startedAt ?? '')).toBeGreaterThan(Date.parse(first?.endedAt ?? ''))
  expect(Date.parse(startedAt ?? '')).toBeGreaterThan(Date.parse(first?.endedAt ?? ''))
})
