import { type Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { membershipOf } from '../../kernel/access.ts'

/** Leaders of the team and administrators, who hold every permission; the product itself as well. */
async function leads(ctx: Ctx, teamId: number): Promise<boolean> {
  if (ctx.actor.admin || ctx.actor.kind === 'system') return true
  return (await membershipOf(ctx.db, ctx.actor.id, teamId))?.leader ?? false
}

/** For what only they may do: making, changing and removing leaders. */
export async function mustLead(ctx: Ctx, teamId: number): Promise<void> {
  if (!(await leads(ctx, teamId))) throw new Fault('forbidden', 'team-leader-only')
}

/** Nobody grants what they lack. */
export async function mustGrant(ctx: Ctx, teamId: number, permissions: string[]): Promise<void> {
  if (await leads(ctx, teamId)) return
  const held = (await membershipOf(ctx.db, ctx.actor.id, teamId))?.permissions ?? new Set<string>()
  const lacking = permissions.filter((permission) => !held.has(permission))
  if (lacking.length > 0) throw new Fault('forbidden', 'role-grant-lacking', { keys: lacking.join(', ') })
}
