import pino from 'pino'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { eventually } from '@gantry/waiting/eventually'
import { testApp } from '../../../test/test-app.ts'
import { type Job, job } from './jobs.ts'
import { openSlots } from './slots.ts'

const app = await testApp({ onlyDomains: [] })
const log = pino({ level: 'silent' })
const opened: { stop: (withinMs: number) => Promise<void> }[] = []

/** A replica that looks when the test calls `look`. */
function replica(jobs: Job[], run: (name: string, signal: AbortSignal) => Promise<void> = async () => undefined) {
  const begun: string[] = []
  const slots = openSlots(app.db, log, jobs, async ({ name }, signal) => {
    begun.push(name)
    await run(name, signal)
  })
  opened.push(slots)
  return { ...slots, begun }
}

const scheduled = (name: string, more: Partial<Job>) =>
  job({ name, schema: z.object({}), run: async () => undefined, ...more })
const rowOf = (name: string) =>
  app.db.selectFrom('job_slot').selectAll().where('job', '=', name).executeTakeFirstOrThrow()
/** Moves slots and leases two hours into the past. */
const timePasses = () =>
  sql`update job_slot set slot = slot - interval '2 hours', run_until = run_until - interval '2 hours'`.execute(app.db)
const forever = () => new Promise<void>(() => undefined)
const failing = async () => {
  throw new Error('not yet')
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((slots) => slots.stop(0)))
  await app.db.deleteFrom('job_slot').execute()
})

test('replicas that look at once run each slot of many jobs once', async () => {
  const jobs = Array.from({ length: 30 }, (_, n) => scheduled(`test-many-${n}`, { every: n % 2 === 0 ? 600 : 3600 }))
  const replicas = Array.from({ length: 4 }, () => replica(jobs.toSorted(() => Math.random() - 0.5)))
  const all = () => replicas.flatMap(({ begun }) => begun).toSorted()
  for (const times of [1, 2]) {
    await Promise.all(replicas.map(({ look }) => look()))
    expect(all()).toEqual(jobs.flatMap(({ name }) => Array.from({ length: times }, () => name)).toSorted())
    await eventually(async () => expect((await rowOf('test-many-1')).run_until).toBe(null))
    await timePasses()
  }
})

test('a run with a distant next slot is taken over from a dead replica, up to its limit of retries', async () => {
  const long = scheduled('test-dead', { every: 3600, retry: { limit: 1, delaySeconds: 0 } })
  const [dead, another, third] = [replica([long], forever), replica([long], forever), replica([long])]
  await dead.look()
  await another.look()
  expect([dead.begun.length, another.begun.length]).toEqual([1, 0])
  await sql`update job_slot set run_until = now()`.execute(app.db)
  await another.look()
  expect(another.begun).toHaveLength(1)
  await sql`update job_slot set run_until = now()`.execute(app.db)
  await third.look()
  expect(third.begun).toHaveLength(0)
  await timePasses()
  await third.look()
  expect(third.begun).toHaveLength(1)
})

test('a run that was taken over ends without ending the new run', async () => {
  const long = scheduled('test-late', { every: 3600 })
  const go = Promise.withResolvers<void>()
  const [slow, another] = [replica([long], () => go.promise), replica([long], forever)]
  await slow.look()
  await sql`update job_slot set run_until = now()`.execute(app.db)
  await another.look()
  go.resolve()
  await slow.stop(0)
  expect(await rowOf('test-late')).toMatchObject({ run_until: expect.any(String), tries: 2 })
})

test('any replica retries a failed run, and after the last retry the job waits for its next slot', async () => {
  for (const every of [60, 3600]) {
    const name = `test-failed-${every}`
    const flaky = scheduled(name, { every, retry: { limit: 2, delaySeconds: 0 } })
    const [here, there] = [replica([flaky], failing), replica([flaky], failing)]
    const begun = () => here.begun.length + there.begun.length
    await here.look()
    for (const tries of [2, 3]) {
      await eventually(async () => {
        await there.look()
        expect(begun()).toBe(tries)
      })
    }
    await here.stop(0)
    await there.stop(0)
    await there.look()
    expect([begun(), (await rowOf(name)).run_until]).toEqual([3, null])
    await timePasses()
    await here.look()
    expect(begun()).toBe(4)
  }
})

test('a replica runs a job once at a time, and hands back a run that the end of the server cuts off', async () => {
  const near = scheduled('test-once', { every: 60 })
  const signals: AbortSignal[] = []
  const only = replica([near], (_name, signal) => (signals.push(signal), forever()))
  await only.look()
  await timePasses()
  await only.look()
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  await only.stop(0)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  const next = replica([near])
  await eventually(async () => {
    await sql`update job_slot set run_until = least(run_until, now())`.execute(app.db)
    await next.look()
    expect(next.begun).toHaveLength(1)
  })
})

test('a look returns the time until the next slot', async () => {
  const hourly = replica([scheduled('test-next', { every: 3600 }), scheduled('test-cron', { every: '17 3 * * *' })])
  const left = await hourly.look()
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThanOrEqual(3_600_000)
  const often = replica([scheduled('test-often', { every: 5 })])
  expect(await often.look()).toBeLessThanOrEqual(5000)
})
