import { type Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { rightsIn } from '../../../identity/access.ts'

/** Leaders of the team and administrators, who hold every permission; the product itself as well. */
async function leads(ctx: Ctx, teamId: number): Promise<boolean> {
  if (ctx.actor.admin || ctx.actor.kind === 'system') return true
  return (await rightsIn(ctx, teamId))?.leader ?? false
}

/** For what only they may do: making, changing and removing leaders. */
export async function mustLead(ctx: Ctx, teamId: number): Promise<void> {
  if (!(await leads(ctx, teamId))) throw new Fault('forbidden', 'team-leader-only')
}

/** Nobody grants what they lack; an API token of a leader no more than it carries itself. */
export async function mustGrant(ctx: Ctx, teamId: number, permissions: readonly string[]): Promise<void> {
  if (permissions.length === 0 || (await leads(ctx, teamId))) return
  const held = (await rightsIn(ctx, teamId))?.permissions
  const lacking = permissions.filter((permission) => !held?.has(permission))
  if (lacking.length > 0) throw new Fault('forbidden', 'role-grant-lacking', { keys: lacking.join(', ') })
}
