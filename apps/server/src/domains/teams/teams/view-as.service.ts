import type { ViewAs } from '@gantry/contract/auth/session'
import { membershipOf } from '../../../identity/access.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Caller, viewAs } from '../../../identity/sessions.ts'
import { publishRights } from '../roles/rights.ts'
import { findRole } from '../roles/roles.store.ts'

/**
 * Lets a leader or an administrator view the team as one of its roles, in all tabs of this login; role 0 ends it.
 * Checks the account's own permissions, not those of the current view, so that one may switch to another role.
 */
export const lookAs = (ctx: Ctx, { session, actor }: Caller, teamId: number, roleId: number): Promise<ViewAs | null> =>
  inTx(ctx, async (ctx) => {
    if (!session) throw new Fault('forbidden', 'token-not-here')
    const before = actor.limit?.kind === 'view' ? actor.limit.roleName : ''
    if (roleId === 0) {
      note(ctx, { object: before, before, after: '' })
      await viewAs(ctx, session.family, null)
      await publishRights(ctx, [actor.id])
      return null
    }
    if (!(await membershipOf(ctx.db, actor.id, teamId))?.leader) throw new Fault('forbidden', 'view-as-leader-only')
    const role = await findRole(ctx.db, teamId, roleId)
    if (!role) throw new Fault('missing', 'role-missing')
    note(ctx, { object: role.name, before, after: role.name })
    await viewAs(ctx, session.family, roleId)
    await publishRights(ctx, [actor.id])
    return { teamId, roleId, roleName: role.name }
  })
