import { randomUUID } from 'node:crypto'
import { Cron } from 'croner'
import { sql } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { afterCommit, type Ctx } from '../context.ts'
import type { Jobs, Queue, SendOptions } from './queue.ts'

/**
 * Background work. A run may be cut off at any moment and started again on another replica, so it must be idempotent;
 * one that changes a state first checks that the state is still the one that the job was sent for.
 */
export interface Job<S extends z.ZodType = z.ZodType> extends Queue<S> {
  run(ctx: Ctx, data: z.output<S>): Promise<void>
  /** Runs on a schedule: every so many seconds, or by a cron expression in UTC; each slot once over all replicas. */
  every?: number | string
  /** Maximum concurrent runs on one replica. Default: 1. */
  concurrency?: number
}

/** Creates the context of one run. */
type CtxFor = (job: Job, signal: AbortSignal) => Ctx

export interface JobRunner extends Jobs {
  /** Starts the workers. */
  start: (jobs: Job[], ctxFor: CtxFor) => Promise<void>
  /** Runs what is due now, and what that sends, until nothing is left. For tests. */
  drain: (jobs: Job[], ctxFor: CtxFor) => Promise<void>
  /** Waits up to this long for runs in progress; the rest is handed back. */
  stop: (withinMs: number) => Promise<void>
}

/** For type inference only: `export const sweep = job({ name, schema, run })`. */
export const job = <S extends z.ZodType>(declared: Job<S>): Job<S> => declared

/** Sends a job in the caller's transaction: it runs if and only if the transaction commits. */
export async function enqueue<S extends z.ZodType>(
  ctx: Ctx,
  queue: Queue<S>,
  data: z.input<S> & object,
  options: SendOptions = {},
): Promise<void> {
  afterCommit(ctx, await ctx.jobs.send(ctx.db, queue, data, options))
}

const schema = 'pgboss'
const defaultRetry = { limit: 2, delaySeconds: 5 }
const scheduleLook = 1_000
/** The replica that sends a job wakes its workers; this look finds retries, delayed jobs and those a dead replica left. */
const waitingLook = 5_000
/** The queue library polls for each worker; the one look for all of them takes its place. */
const pollSeconds = 3_600
/** Slots are by the database's clock, which is read again this often; between, the process's own clock tells. */
const clockLook = 60_000

/** The slot of `every` at this moment. */
function slotOf(every: number | string, now: Date): Date {
  if (typeof every === 'number') return new Date(Math.floor(now.getTime() / (every * 1000)) * every * 1000)
  const [slot] = new Cron(every, { timezone: 'UTC' }).previousRuns(1, new Date(now.getTime() + 1))
  return slot ?? new Date(0)
}

export function openJobs({ db, pool }: Database, log: Logger): JobRunner {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema,
    schedule: false,
    superviseIntervalSeconds: 60,
  })
  boss.on('error', (error) => log.error({ err: error }, 'background work met an error'))
  boss.on('warning', (warning) => log.warn({ warning }, 'background work gives a warning'))

  let opened: Promise<void> | undefined
  const open = () => (opened ??= boss.start().then(() => undefined))

  const queues = new Map<string, Promise<void>>()
  const queue = ({ name, retry = defaultRetry, timeoutSeconds = 300 }: Queue) => {
    let made = queues.get(name)
    if (!made) {
      const options = {
        retryLimit: retry.limit,
        retryDelay: retry.delaySeconds,
        retryBackoff: true,
        expireInSeconds: timeoutSeconds,
        deleteAfterSeconds: 24 * 3600,
      }
      made = boss.createQueue(name, { ...options, policy: 'short' }).then(() => boss.updateQueue(name, options))
      made.catch(() => queues.delete(name))
      queues.set(name, made)
    }
    return made
  }

  const workers = new Map<string, string[]>()
  const wake = (name: string) => workers.get(name)?.forEach((worker) => boss.notifyWorker(worker))

  const send: Jobs['send'] = async (tx, job, data, { key, afterSeconds }) => {
    await open()
    await queue(job)
    await boss.send(job.name, job.schema.parse(data) as object, {
      db: fromKysely(tx),
      // The queue keeps one waiting job per key; a job without a key gets a unique one.
      singletonKey: key ?? randomUUID(),
      ...(afterSeconds === undefined ? {} : { startAfter: afterSeconds }),
    })
    return () => (afterSeconds === undefined ? wake(job.name) : undefined)
  }

  /** Milliseconds to add to this process's clock for the database's. */
  async function clockOffset(): Promise<number> {
    const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)
    return Date.parse(rows[0]?.now ?? '') - Date.now()
  }
  let clock = { offset: 0, readAt: -Infinity }
  /** The newest slot of each job that some replica is known to have sent, so that nothing is asked between two slots. */
  const sent = new Map<string, number>()

  /** The replica that advances the slot sends the job. */
  async function tick(scheduled: Job[]): Promise<void> {
    if (performance.now() - clock.readAt > clockLook) clock = { offset: await clockOffset(), readAt: performance.now() }
    const now = new Date(Date.now() + clock.offset)
    for (const job of scheduled) {
      const slot = slotOf(job.every ?? 0, now)
      if (slot.getTime() <= (sent.get(job.name) ?? -Infinity)) continue
      const moved = await db.transaction().execute(async (tx) => {
        const advanced = await tx
          .insertInto('job_slot')
          .values({ job: job.name, slot })
          .onConflict((c) => c.column('job').doUpdateSet({ slot }).where('job_slot.slot', '<', slot.toISOString()))
          .returning('job')
          .executeTakeFirst()
        if (advanced) await send(tx, job, {}, { key: 'slot' })
        return advanced !== undefined
      })
      sent.set(job.name, slot.getTime())
      if (moved) wake(job.name)
    }
  }

  /** Wakes the workers of all queues that have a job to take. */
  async function wakeWaiting(): Promise<void> {
    const waiting = await sql<{ name: string }>`
      select name from pgboss.queue where exists (
        select from pgboss.job where job.name = queue.name and job.state < 'active' and job.start_after <= now()
      )`.execute(db)
    for (const { name } of waiting.rows) wake(name)
  }

  /** Each ends a look, and waits for the one that is under way. */
  const endings: (() => Promise<void>)[] = []
  /** Looks so often, one look at a time. */
  function lookEvery(ms: number, look: () => Promise<void>) {
    let running: Promise<void> | undefined
    const timer = setInterval(() => {
      running ??= look()
        .catch((error: unknown) => log.warn({ err: error }, 'jobs could not be looked for, they will be soon'))
        .finally(() => (running = undefined))
    }, ms)
    endings.push(async () => {
      clearInterval(timer)
      await running
    })
  }

  async function runOne(job: Job, data: unknown, signal: AbortSignal, ctxFor: CtxFor) {
    const ctx = ctxFor(job, signal)
    try {
      await job.run(ctx, job.schema.parse(data))
    } catch (error) {
      ctx.log.error({ err: error, job: job.name }, 'a background job failed')
      throw error
    }
  }

  return {
    send,
    start: async (jobs, ctxFor) => {
      await open()
      for (const job of jobs) {
        await queue(job)
        const work = () =>
          boss.work<unknown>(job.name, { pollingIntervalSeconds: pollSeconds, batchSize: 1 }, async ([taken]) => {
            // Whoever has done a job asks for the next one at once.
            if (taken) await runOne(job, taken.data, taken.signal, ctxFor).finally(() => wake(job.name))
          })
        workers.set(job.name, await Promise.all(Array.from({ length: job.concurrency ?? 1 }, work)))
      }
      const scheduled = jobs.filter((job) => job.every !== undefined)
      lookEvery(scheduleLook, () => tick(scheduled))
      lookEvery(waitingLook, wakeWaiting)
    },
    drain: async (jobs, ctxFor) => {
      await open()
      for (const job of jobs) await queue(job)
      for (let busy = true; busy;) {
        busy = false
        for (const job of jobs) {
          for (const taken of await boss.fetch<unknown>(job.name, { batchSize: 100 })) {
            busy = true
            await runOne(job, taken.data, AbortSignal.timeout(60_000), ctxFor)
            await boss.complete(job.name, taken.id)
          }
        }
      }
    },
    stop: async (withinMs) => {
      await Promise.all(endings.map((end) => end()))
      if (!opened) return
      await opened.catch(() => undefined)
      await boss.stop({ graceful: withinMs > 0, timeout: Math.max(withinMs, 1_000) })
    },
  }
}
