import { type Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { rightsIn } from '../../../identity/access.ts'
import { findRole } from '../roles/roles.store.ts'

/** Whether the actor holds every permission: leaders of the team, administrators, and the product itself. */
async function leads(ctx: Ctx, teamId: number): Promise<boolean> {
  if (ctx.actor.admin || ctx.actor.kind === 'system') return true
  return (await rightsIn(ctx, teamId))?.leader ?? false
}

/** Guards what only they may do: adding, changing and removing leaders. */
export async function mustLead(ctx: Ctx, teamId: number): Promise<void> {
  if (!(await leads(ctx, teamId))) throw new Fault('forbidden', 'team-leader-only')
}

/** Nobody grants permissions that they lack; a leader's API token grants no more than its own. */
export async function mustGrant(ctx: Ctx, teamId: number, permissions: readonly string[]): Promise<void> {
  if (permissions.length === 0 || (await leads(ctx, teamId))) return
  const own = (await rightsIn(ctx, teamId))?.permissions
  const lacking = permissions.filter((permission) => !own?.has(permission))
  if (lacking.length > 0) throw new Fault('forbidden', 'role-grant-lacking', { permissions: lacking.join(', ') })
}

/** The specification's role id 0 makes a leader. */
const leaderRole = 0

/** The membership that a role means (null: a member without a role); throws if the actor may not grant it. */
export async function mustGrantRole(ctx: Ctx, teamId: number, roleId: number | null) {
  if (roleId === null) return { leader: false, role_id: null }
  if (roleId === leaderRole) {
    await mustLead(ctx, teamId)
    return { leader: true, role_id: null }
  }
  const role = await findRole(ctx.db, teamId, roleId)
  if (!role) throw new Fault('missing', 'role-missing')
  await mustGrant(ctx, teamId, role.permissions)
  return { leader: false, role_id: roleId }
}
