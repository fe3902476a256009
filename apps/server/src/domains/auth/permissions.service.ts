import type { PermissionEntry } from '@gantry/contract/auth/session'
import { membershipOf, mustHold } from '../../kernel/access.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { entries } from './catalogue.ts'
import { isAdmin } from './credentials.store.ts'

/** What a user may do in a team. One's own, or another's for who may see roles. */
export async function permissionsOf(ctx: Ctx, teamId: number, userId: number): Promise<PermissionEntry[]> {
  if (userId !== ctx.actor.id) await mustHold(ctx, teamId, 'team_role_view')
  if (await isAdmin(ctx.db, userId)) return entries(() => true)
  const membership = await membershipOf(ctx.db, userId, teamId)
  if (!membership) throw new Fault('missing', 'team-member-missing')
  return entries((key) => membership.leader || membership.permissions.has(key))
}
