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
/** The replica that sends a job wakes its workers; this poll finds the jobs that a dead replica left. */
const lookSeconds = 10

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

  const workers = new Map<string, string>()
  const wake = (name: string) => {
    const worker = workers.get(name)
    if (worker !== undefined) boss.notifyWorker(worker)
  }

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

  /** The replica that advances the slot, by the database's clock, sends the job. */
  async function tick(scheduled: Job[]): Promise<void> {
    const { rows } = await sql<{ now: string }>`select now() as now`.execute(db)
    const now = new Date(rows[0]?.now ?? 0)
    for (const job of scheduled) {
      const slot = slotOf(job.every ?? 0, now)
      await db.transaction().execute(async (tx) => {
        const moved = await tx
          .insertInto('job_slot')
          .values({ job: job.name, slot })
          .onConflict((c) => c.column('job').doUpdateSet({ slot }).where('job_slot.slot', '<', slot.toISOString()))
          .returning('job')
          .executeTakeFirst()
        if (moved) await send(tx, job, {}, { key: 'slot' })
      })
      wake(job.name)
    }
  }

  let scheduling: NodeJS.Timeout | undefined
  let ticking: Promise<void> | undefined

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
        const options = { localConcurrency: job.concurrency ?? 1, pollingIntervalSeconds: lookSeconds, batchSize: 1 }
        const worker = await boss.work<unknown>(job.name, options, async ([taken]) => {
          if (taken) await runOne(job, taken.data, taken.signal, ctxFor)
        })
        workers.set(job.name, worker)
      }
      const scheduled = jobs.filter((job) => job.every !== undefined)
      scheduling = setInterval(() => {
        ticking ??= tick(scheduled)
          .catch((error: unknown) => log.warn({ err: error }, 'schedules could not be looked at, they will be soon'))
          .finally(() => (ticking = undefined))
      }, scheduleLook)
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
      clearInterval(scheduling)
      await ticking
      if (!opened) return
      await opened.catch(() => undefined)
      await boss.stop({ graceful: withinMs > 0, timeout: Math.max(withinMs, 1_000) })
    },
  }
}
