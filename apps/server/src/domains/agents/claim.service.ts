import type { Ctx } from '../../kernel/context.ts'
import { cancelledAmong, extendLeases, type Held, leaseWork, queued, undeliveredWork } from '../pipelines/public.ts'
import { noteSeen, type Seen } from './agents.store.ts'

interface Claim extends Seen {
  free: number
  wait: number
  holding: Held[]
}

/** How long a call waits at most before it looks again by itself: what another replica queued rings no bell here. */
const lookMs = 1000

/**
 * Waits for work. It answers at once when builds were leased, when something that the agent holds was stopped or is not its own any more,
 * and else after `wait` seconds with nothing.
 */
export async function claim(ctx: Ctx, { free, wait, holding, ...seen }: Claim) {
  const agent = await noteSeen(ctx.db, ctx.actor.id, seen)
  const room = Math.min(free, agent.capacity)
  const extended = await extendLeases(ctx.db, agent.id, holding)
  const kept = new Set(extended.map((held) => held.buildId))
  const held = holding.map((one) => one.buildId)
  const drop = held.filter((id) => !kept.has(id))
  const told = new Set(extended.filter((one) => one.cancelled).map((one) => one.buildId))
  const until = performance.now() + (told.size > 0 ? Math.min(wait * 1000, lookMs) : wait * 1000)
  const work = room > 0 ? await undeliveredWork(ctx, agent, held) : []
  for (;;) {
    // the bell is listened to before the look, so that what is queued in between is not slept through
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
