import pino from 'pino'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { eventually } from '@gantry/waiting/eventually'
import { inTx } from '../context.ts'
import { enqueue, type Job, job, openJobs } from './jobs.ts'
import { testApp } from '../../../test/test-app.ts'

const app = await testApp({ onlyDomains: [] })
const ctx = app.ctx()
const ctxFor = (_job: Job, signal: AbortSignal) => ({ ...ctx, signal })

function counting(name: string, more: Partial<Job> = {}) {
  const seen: unknown[] = []
  const counted = job({
    name,
    schema: z.object({ n: z.number().optional() }),
    async run(_ctx, data) {
      seen.push(data.n)
    },
    ...(more as object),
  })
  return { counted, seen }
}

test('a job runs if and only if the transaction that sent it commits', async () => {
  const { counted, seen } = counting('test-commit')
  await inTx(ctx, (ctx) => enqueue(ctx, counted, { n: 1 }))
  await expect(
    inTx(ctx, async (ctx) => {
      await enqueue(ctx, counted, { n: 2 })
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  await app.server.jobs.drain([counted], ctxFor)
  expect(seen).toEqual([1])
})

test('only one job waits under a key, and another can be sent once that one has started', async () => {
  const seen: number[] = []
  const again = job({
    name: 'test-key',
    schema: z.object({ n: z.number() }),
    async run(_ctx, { n }) {
      seen.push(n)
      if (n === 1) await enqueue(ctx, again, { n: 4 }, { key: 'k' })
    },
  })
  for (const n of [1, 2, 3]) await enqueue(ctx, again, { n }, { key: 'k' })
  await enqueue(ctx, again, { n: 9 })
  await enqueue(ctx, again, { n: 9 })
  await app.server.jobs.drain([again], ctxFor)
  expect(seen.toSorted()).toEqual([1, 4, 9, 9])
})

test('data of another shape is refused when the job is sent', async () => {
  const { counted } = counting('test-shape')
  await expect(enqueue(ctx, counted, { n: 'x' } as never)).rejects.toThrow('expected number')
})

test('workers take a job at once, and retry a failed run', async () => {
  const jobs = openJobs(app.database, pino({ level: 'silent' }))
  afterAll(() => jobs.stop(0))
  let tries = 0
  const flaky = job({
    name: 'test-flaky',
    schema: z.object({}),
    retry: { limit: 3, delaySeconds: 1 },
    async run() {
      tries += 1
      if (tries < 2) throw new Error('not yet')
    },
  })
  const mine = { ...ctx, jobs }
  await jobs.start([flaky], ctxFor)
  await enqueue(mine, flaky, {})
  await eventually(() => expect(tries).toBe(2), undefined, { ms: 20_000 })
}, 30_000)

test('two replicas run each slot of a schedule once', async () => {
  const slots: number[] = []
  const every = job({
    name: 'test-slots',
    schema: z.object({}),
    every: 3600,
    async run() {
      slots.push(1)
    },
  })
  const replicas = [
    openJobs(app.database, pino({ level: 'silent' })),
    openJobs(app.database, pino({ level: 'silent' })),
  ]
  afterAll(() => Promise.all(replicas.map((jobs) => jobs.stop(0))))
  await Promise.all(replicas.map((jobs) => jobs.start([every], (_job, signal) => ({ ...ctx, jobs, signal }))))
  await eventually(() => expect(slots).toEqual([1]), undefined, { ms: 20_000 })
  const slot = await app.db
    .selectFrom('job_slot')
    .select('slot')
    .where('job', '=', 'test-slots')
    .executeTakeFirstOrThrow()
  expect(Date.parse(slot.slot) % 3_600_000).toBe(0)
  // Back to the slot before: a replica that starts later runs the present one once; those that know it do not.
  await app.db
    .updateTable('job_slot')
    .set({ slot: new Date(Date.parse(slot.slot) - 3_600_000) })
    .where('job', '=', 'test-slots')
    .execute()
  const late = openJobs(app.database, pino({ level: 'silent' }))
  replicas.push(late)
  await late.start([every], (_job, signal) => ({ ...ctx, jobs: late, signal }))
  await eventually(() => expect(slots).toEqual([1, 1]), undefined, { ms: 20_000 })
}, 60_000)

test('a run in progress when the process stops is handed back', async () => {
  const started = Promise.withResolvers<void>()
  const aborted = Promise.withResolvers<void>()
  const jobs = openJobs(app.database, pino({ level: 'silent' }))
  const long = job({
    name: 'test-long',
    schema: z.object({}),
    async run(ctx) {
      started.resolve()
      ctx.signal.addEventListener('abort', () => aborted.resolve())
      await new Promise(() => undefined)
    },
  })
  await jobs.start([long], ctxFor)
  await enqueue({ ...ctx, jobs }, long, {})
  await started.promise
  await jobs.stop(1_000)
  const { rows } = await app.database.pool.query("select state from pgboss.job where name = 'test-long'")
  expect(rows).toEqual([{ state: 'retry' }])
  await aborted.promise
}, 30_000)
