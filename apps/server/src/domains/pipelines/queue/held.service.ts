import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Held, type HeldJob, lockHeld } from './leases.store.ts'

/** The job that the agent holds in this attempt, its lease extended; throws 409 where a newer attempt, or none, holds it. */
export async function heldJob(ctx: Ctx, held: Held): Promise<HeldJob> {
  const job = await lockHeld(ctx.db, ctx.actor.id, held)
  if (!job) throw new Fault('conflict', 'agents-attempt-over')
  return job
}
