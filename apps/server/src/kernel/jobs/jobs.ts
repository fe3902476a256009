import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { afterCommit, type Ctx } from '../context.ts'
import { defaultRetry, defaultTimeout, type Jobs, type Queue, type SendOptions } from './queue.ts'
import { openSlots, type Slots } from './slots.ts'

/**
 * Background work. A run may be cut off at any moment and started again on another replica, so it must be idempotent. A
 * job that changes a state first checks that the state is still the one that it was sent for.
 */
export interface Job<S extends z.ZodType = z.ZodType> extends Queue<S> {
  run(ctx: Ctx, data: z.output<S>): Promise<void>
  /** Runs every so many seconds, or by a cron expression in UTC; each slot once across all replicas. */
  every?: number | string
  /** Maximum concurrent runs on one replica. Default: 1. */
  concurrency?: number
}

/** Creates the context of one run. */
type CtxFor = (job: Job, signal: AbortSignal) => Ctx

export interface JobRunner extends Jobs {
  /** Starts the workers. */
  start: (jobs: Job[], ctxFor: CtxFor) => Promise<void>
  /** Runs the jobs that are due now, and those that they send, until none is left. For tests. */
  drain: (jobs: Job[], ctxFor: CtxFor) => Promise<void>
  /** Waits up to this long for runs in progress; then the others are handed back. */
  stop: (withinMs: number) => Promise<void>
}

/** For type inference only: `export const sweep = job({ name, schema, run })`. */
export const job = <S extends z.ZodType>(declared: Job<S>): Job<S> => declared

const noData = z.object({})

/** A job that runs on a schedule and needs no data. */
export const scheduled = (declared: Omit<Job<typeof noData>, 'schema'>): Job<typeof noData> => ({
  ...declared,
  schema: noData,
})

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
/**
 * The replica that sends a job wakes its own workers. A look at least this often finds retries, delayed jobs and those
 * of a dead replica; a slot of a schedule brings an earlier one.
 */
const longestLook = 5_000
/** A timer may end slightly before the clock reaches its time. */
const timerLeadMs = 5
/** The queue library polls once for each worker; keepLooking() polls once for all of them instead. */
const pollSeconds = 3_600

export function openJobs({ db, pool }: Database, log: Logger): JobRunner {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema,
    schedule: false,
    superviseIntervalSeconds: 60,
    // These search for what is not used here: jobs that wait for jobs, and postponed changes of the library's tables.
    flowIntervalSeconds: 3_600,
    bamIntervalSeconds: 3_600,
  })
  boss.on('error', (error) => log.error({ err: error }, 'background work met an error'))
  boss.on('warning', (warning) => log.warn({ warning }, 'background work gives a warning'))

  let opened: Promise<void> | undefined
  const open = () => (opened ??= boss.start().then(() => undefined))

  const queues = new Map<string, Promise<void>>()
  const queue = ({ name, retry = defaultRetry, timeoutSeconds = defaultTimeout }: Queue) => {
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

  /** Starts the workers of a queue; undefined where this process runs none of its jobs. */
  let begin: (name: string) => Promise<string[]> | undefined = () => undefined
  const workers = new Map<string, Promise<string[]>>()
  /** A queue's workers start with its first job. */
  function wake(name: string): void {
    const known = workers.get(name)
    if (known) return void known.then((ids) => ids.forEach((id) => boss.notifyWorker(id))).catch(() => undefined)
    const begun = begin(name)
    if (!begun) return
    workers.set(name, begun)
    begun.catch((error: unknown) => {
      workers.delete(name)
      log.warn({ err: error, job: name }, 'the workers of a queue could not be started, they will be soon')
    })
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

  /** The queues that have a job to run. */
  async function waiting(): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`
      select name from pgboss.queue where exists (
        select from pgboss.job where job.name = queue.name and job.state < 'active' and job.start_after <= now()
      )`.execute(db)
    return rows.map(({ name }) => name)
  }

  const stopping = new AbortController()
  let slots: Slots | undefined
  let looking: Promise<void> | undefined
  /** Wakes the workers that have jobs, and sleeps until there may be more. */
  async function keepLooking(own: Slots): Promise<void> {
    const isStopping = () => stopping.signal.aborted
    while (!isStopping()) {
      const looks = [own.look(), waiting().then((names) => names.forEach(wake))] as const
      const [slot, waited] = await Promise.allSettled(looks)
      for (const look of [slot, waited])
        if (look.status === 'rejected')
          log.warn({ err: look.reason }, 'jobs could not be looked for, they will be soon')
      // a slot may come due while this look lasts
      const pause = slot.status === 'fulfilled' ? Math.max(0, Math.min(slot.value, longestLook)) : longestLook
      await sleep(pause + timerLeadMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
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

  async function work(job: Job, ctxFor: CtxFor): Promise<string[]> {
    await queue(job)
    const one = () =>
      boss.work<unknown>(job.name, { pollingIntervalSeconds: pollSeconds, batchSize: 1 }, async ([taken]) => {
        // A worker that has finished a job looks for the next one at once.
        if (taken) await runOne(job, taken.data, taken.signal, ctxFor).finally(() => wake(job.name))
      })
    return Promise.all(Array.from({ length: job.concurrency ?? 1 }, one))
  }

  return {
    send,
    start: async (jobs, ctxFor) => {
      await open()
      const named = new Map(jobs.map((job) => [job.name, job]))
      begin = (name) => {
        const job = stopping.signal.aborted ? undefined : named.get(name)
        return job && work(job, ctxFor)
      }
      slots = openSlots(db, log, jobs, (job, signal) => runOne(job, {}, signal, ctxFor))
      looking = keepLooking(slots)
    },
    drain: async (jobs, ctxFor) => {
      await open()
      for (let busy = true; busy;) {
        busy = false
        const names = await waiting()
        for (const job of jobs.filter(({ name }) => names.includes(name))) {
          for (const taken of await boss.fetch<unknown>(job.name, { batchSize: 100 })) {
            busy = true
            await runOne(job, taken.data, AbortSignal.timeout(60_000), ctxFor)
            await boss.complete(job.name, taken.id)
          }
        }
      }
    },
    stop: async (withinMs) => {
      stopping.abort()
      await looking
      if (!opened) return
      await opened.catch(() => undefined)
      await Promise.all([
        slots?.stop(withinMs),
        boss.stop({ graceful: withinMs > 0, timeout: Math.max(withinMs, 1_000) }),
      ])
    },
  }
}
