import { keyedSemaphore } from '../../kernel/concurrency/keyed-semaphore.ts'
import { Fault } from '../../kernel/fault.ts'
import type { Ctx } from '../../kernel/context.ts'
import {
  cancelledAmong,
  extendLeases,
  type LeaseKey,
  leaseWork,
  queued,
  takeTerminals,
  undeliveredWork,
} from '../pipelines/public.ts'
import { findClaimer, noteSeen, type Reported } from './agents.store.ts'

interface Claim extends Reported {
  free: number
  wait: number
  holding: LeaseKey[]
}

/** How long a call waits at most before it looks again: replicas cannot wake one that has lost its connection. */
const usualPollMs = 10_000

/** How soon a call ends once it has told the agent to stop a build. */
const endsAfterMs = 1000

const looking = keyedSemaphore(1)

/**
 * An agent has a poll open for each slot that became idle at another time, and a queued job wakes all of them: one takes
 * it, and the others then see that nothing is left, which costs less than looking at the same time.
 */
async function inTurn<T>({ actor: { id } }: Ctx, look: () => Promise<T>): Promise<T> {
  // not ended by the call's signal: a look is short, and whoever ends the call still gets an answer
  const leave = await looking(String(id), new AbortController().signal)
  try {
    return await look()
  } finally {
    leave()
  }
}

/**
 * Long poll for work. Returns at once when jobs were leased, when a job that the agent holds was stopped or is no
 * longer its own, when the agent must clean, or when somebody waits for a terminal; else after `wait` seconds, empty.
 */
export async function claim(ctx: Ctx, { free, wait, holding, ...seen }: Claim, lookMs = usualPollMs) {
  const { id } = ctx.actor
  await noteSeen(ctx.db, id, seen)
  const extended = await extendLeases(ctx.db, id, holding)
  const kept = new Set(extended.map((lease) => lease.jobId))
  const jobIds = holding.map((one) => one.jobId)
  const drop = jobIds.filter((jobId) => !kept.has(jobId))
  const cancelled = new Set(extended.filter((one) => one.cancelled).map((one) => one.jobId))
  const until = performance.now() + (cancelled.size > 0 ? Math.min(wait * 1000, endsAfterMs) : wait * 1000)
  for (let first = true; ; first = false) {
    // registered before the look, so that no build queued in between is missed
    const bell = new AbortController()
    const pause = Math.min(lookMs, Math.max(1, until - performance.now()))
    const rung = queued.wait(ctx, pause, AbortSignal.any([ctx.signal, bell.signal]))
    const { agent, work } = await inTurn(ctx, async () => {
      const agent = await findClaimer(ctx.db, id)
      if (!agent) throw new Fault('unauthenticated', 'session-over')
      const work = first && free > 0 ? await undeliveredWork(ctx, agent, jobIds) : []
      const room = agent.resting ? 0 : free - work.length
      if (room > 0 && agent.queued) work.push(...(await leaseWork(ctx, agent, room)))
      return { agent, work }
    })
    const cancel = await cancelledAmong(ctx.db, id, extended)
    const clean = agent.cleaning && free > 0 && work.length === 0 && holding.length === 0
    const terminals = agent.awaited ? await takeTerminals(ctx, id) : []
    const news =
      clean ||
      terminals.length > 0 ||
      work.length > 0 ||
      drop.length > 0 ||
      cancel.some((jobId) => !cancelled.has(jobId))
    if (news || ctx.signal.aborted || performance.now() >= until) {
      bell.abort()
      return { work, drop, cancel, clean, terminals }
    }
    await rung
  }
}
