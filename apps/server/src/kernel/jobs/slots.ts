import { setTimeout as sleep } from 'node:timers/promises'
import { Cron } from 'croner'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Tables } from '../../db/tables.gen.ts'
import { defaultRetry, defaultTimeout, type Queue } from './queue.ts'

/** Slots are by the database's clock, which is read again this often; between, the process's own clock tells. */
const clockLook = 60_000
/** A run begins when the one before it has ended, or so much later. */
const apartMs = 20

interface Slot {
  slot: number
  next: number
}

/** The slot of a schedule at this moment, and when the next one begins. */
function schedule(every: number | string): (now: number) => Slot {
  if (typeof every === 'number') {
    const ms = every * 1000
    return (now) => ({ slot: now - (now % ms), next: now - (now % ms) + ms })
  }
  const cron = new Cron(every, { timezone: 'UTC' })
  // to work one out takes a millisecond
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

/** What one look took: the run and, where the row says so, until when it is this replica's. */
interface Taken {
  job: string
  until: string | null
  tries: number
}

export interface Slots {
  /** Begins the runs whose slots have come. Returns the milliseconds until the next slot. */
  look: () => Promise<number>
  /** Aborts what still runs after so long, and hands it back. */
  stop: (withinMs: number) => Promise<void>
}

/**
 * Runs jobs on their schedules, each slot on the replica that moves the job's row on: one statement for all that are
 * due. A job whose next slot is further away than its time limit holds the row meanwhile, so that another replica takes
 * over where this one dies; of others, the next slot comes sooner than that would. A failed run comes again as its
 * queue says. On one replica a job runs once at a time.
 */
export function openSlots<J extends Queue & { every?: number | string }>(
  db: Kysely<Tables>,
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

  /** In the order of their names, so that replicas that look at once do not wait for each other crosswise. */
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

  /** Where another replica has taken the row over meanwhile, it is left alone. */
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
        // many come at the same moment: each would take a connection of its own to the database
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
