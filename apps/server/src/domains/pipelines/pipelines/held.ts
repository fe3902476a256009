import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Held, type HeldBuild, lockHeld } from '../queue/leases.store.ts'

/** The build that the agent holds in this attempt, its lease extended; throws 409 where a newer attempt, or none, holds it. */
export async function heldBuild(ctx: Ctx, held: Held): Promise<HeldBuild> {
  const build = await lockHeld(ctx.db, ctx.actor.id, held)
  if (!build) throw new Fault('conflict', 'agents-attempt-over')
  return build
}
