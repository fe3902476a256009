import type { Ctx } from '../../kernel/context.ts'
import { cancelledAmong, extendLeases, type Held, leaseWork, queued, undeliveredWork } from '../pipelines/public.ts'
import { noteSeen, type Seen } from './agents.store.ts'

interface Claim extends Seen {
  free: number
  wait: number
  holding: Held[]
}

/** How long a call waits at most before it polls: jobs that another replica queued cause no wake-up here. */
const lookMs = 1000

/**
 * Long poll for work. It returns at once when jobs were leased, or when something that the agent holds was stopped or
 * is no longer its own; else after `wait` seconds with nothing.
 */
export async function claim(ctx: Ctx, { free, wait, holding, ...seen }: Claim) {
  const agent = await noteSeen(ctx.db, ctx.actor.id, seen)
  const room = Math.min(free, agent.capacity)
  const extended = await extendLeases(ctx.db, agent.id, holding)
  const kept = new Set(extended.map((held) => held.jobId))
  const held = holding.map((one) => one.jobId)
  const drop = held.filter((id) => !kept.has(id))
  const told = new Set(extended.filter((one) => one.cancelled).map((one) => one.jobId))
  const until = performance.now() + (told.size > 0 ? Math.min(wait * 1000, lookMs) : wait * 1000)
  const work = room > 0 ? await undeliveredWork(ctx, agent, held) : []
  for (;;) {
    // registered before the look, so that a build queued in between is not missed
    const bell = new AbortController()
    const pause = Math.min(lookMs, Math.max(1, until - performance.now()))
    const rung = queued.wait(pause, AbortSignal.any([ctx.signal, bell.signal]))
    if (room > work.length) work.push(...(await leaseWork(ctx, agent, room - work.length)))
    const cancel = await cancelledAmong(ctx.db, agent.id, extended)
    const news = work.length > 0 || drop.length > 0 || cancel.some((id) => !told.has(id))
    if (news || ctx.signal.aborted || performance.now() >= until) {
      bell.abort()
      return { work, drop, cancel }
    }
    await rung
  }
}
