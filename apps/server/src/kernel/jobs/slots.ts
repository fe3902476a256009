import { setTimeout as sleep } from 'node:timers/promises'
import { Cron } from 'croner'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../db/tables.gen.ts'
import { defaultRetry, defaultTimeout, type Queue } from './queue.ts'

/** Slots follow the database's clock. It is read this often; in between, the process's own clock continues it. */
const clockLook = 60_000
/** The next run begins when the previous one has ended, or after this time. */
const apartMs = 20

interface Slot {
  slot: number
  next: number
}

/** Computes the slot of a schedule at a moment, and when the next one begins. */
function schedule(every: number | string): (now: number) => Slot {
  if (typeof every === 'number') {
    const ms = every * 1000
    return (now) => ({ slot: now - (now % ms), next: now - (now % ms) + ms })
  }
  const cron = new Cron(every, { timezone: 'UTC' })
  // it is kept, because computing it takes a millisecond
  let last: Slot = { slot: Infinity, next: -Infinity }
  return (now) => {
    if (now < last.slot || now >= last.next)
      last = {
        slot: cron.previousRuns(1, new Date(now + 1))[0]?.getTime() ?? 0,
        next: cron.nextRun(new Date(now))?.getTime() ?? Infinity,
      }
    return last
  }
}

/** What one look took: the run and, where the job's row is leased, the end of the lease. */
interface Taken {
  job: string
  until: string | null
  tries: number
}

export interface Slots {
  /** Begins the runs whose slots are due. Returns the milliseconds until the next slot. */
  look: () => Promise<number>
  /** Waits up to this long for runs in progress, then aborts them and hands them back. */
  stop: (withinMs: number) => Promise<void>
}

/**
 * Runs jobs on their schedules. The replica that advances a job's row runs the slot; one statement does it for all jobs
 * that are due. If the next slot is further away than the job's time limit, the row is leased meanwhile, so that
 * another replica takes over where this one dies; otherwise the next slot comes sooner than a takeover would. A failed
 * run is retried as its queue says. On one replica a job runs once at a time.
 */
export function openSlots<J extends Queue & { every?: number | string }>(
  db: Db,
  log: Logger,
  jobs: J[],
  run: (job: J, signal: AbortSignal) => Promise<void>,
): Slots {
  const scheduled = jobs.flatMap((job) => {
    const { every, retry = defaultRetry, timeoutSeconds = defaultTimeout } = job
    if (every === undefined) return []
    const holds = typeof every === 'string' || every > timeoutSeconds
    return { job, retry, timeoutSeconds, seconds: holds ? timeoutSeconds : null, at: schedule(every) }
  })
  type Scheduled = (typeof scheduled)[number]
  const running = new Map<string, Promise<void>>()
  const stopping = new AbortController()

  let clock = { offset: 0, readAt: -Infinity }
  async function now(): Promise<number> {
    if (performance.now() - clock.readAt > clockLook) {
      const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)
      clock = { offset: Date.parse(rows[0]?.now ?? '') - Date.now(), readAt: performance.now() }
    }
    return Date.now() + clock.offset
  }

  /** In the order of their names, so that replicas that look at the same time do not deadlock. */
  async function take(offered: { job: string; slot: Date; seconds: number | null; retries: number }[]) {
    const { rows } = await sql<Taken>`
      with due as (
        select offered.* from json_to_recordset(${JSON.stringify(offered)}::json)
          as offered (job text, slot timestamptz, seconds int, retries int)
        left join job_slot as held on held.job = offered.job
        where held.job is null or case when held.run_until is null then held.slot < offered.slot
          else held.run_until < now() and (held.slot < offered.slot or held.tries <= offered.retries) end
        order by offered.job
      )
      insert into job_slot as held (job, slot, tries, run_until)
      select job, slot, 1, date_trunc('milliseconds', now() + make_interval(secs => seconds)) from due
      on conflict (job) do update set slot = greatest(held.slot, excluded.slot), run_until = excluded.run_until,
        tries = case when held.slot < excluded.slot then 1 else held.tries + 1 end
      where case when held.run_until is null then held.slot < excluded.slot else held.run_until < now() end
      returning job, tries, run_until as until`.execute(db)
    return rows
  }

  /** Leaves the row alone if another replica has taken it over meanwhile. */
  const release = (taken: Taken, againSeconds?: number) =>
    sql`update job_slot set run_until = now() + make_interval(secs => ${againSeconds ?? null}::int)
      where job = ${taken.job} and tries = ${taken.tries} and run_until is not distinct from ${taken.until}`.execute(db)

  async function runSlot({ job, retry, timeoutSeconds }: Scheduled, taken: Taken): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutSeconds * 1000)])
    const cut = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
    const failed = await Promise.race([run(job, signal), cut]).then(
      () => false,
      () => true,
    )
    if (failed && taken.tries <= retry.limit) await release(taken, retry.delaySeconds * 2 ** (taken.tries - 1))
    else if (taken.until !== null) await release(taken)
  }

  return {
    look: async () => {
      const moment = await now()
      const offered = scheduled
        .filter(({ job }) => !running.has(job.name))
        .map(({ job, at, seconds, retry }) => {
          return { job: job.name, slot: new Date(at(moment).slot), seconds, retries: retry.limit }
        })
      for (const taken of offered.length > 0 ? await take(offered) : []) {
        const of = scheduled.find(({ job }) => job.name === taken.job)
        if (!of) continue
        const ended = runSlot(of, taken)
          .catch((error: unknown) => log.warn({ err: error, job: taken.job }, 'a run on schedule was not handed back'))
          .finally(() => running.delete(taken.job))
        running.set(taken.job, ended)
        // many are due at the same moment, and each would take its own database connection
        await Promise.race([ended, sleep(apartMs)])
      }
      return Math.min(...scheduled.map(({ at }) => at(moment).next)) - (await now())
    },
    stop: async (withinMs) => {
      const cutOff = setTimeout(() => stopping.abort(new Error('the server stops')), withinMs)
      await Promise.all(running.values())
      clearTimeout(cutOff)
    },
  }
}
