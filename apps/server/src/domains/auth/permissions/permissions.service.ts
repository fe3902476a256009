import type { PermissionEntry, PermissionModule } from '@gantry/contract/auth/session'
import {
  type Membership,
  membershipOf,
  mustHold,
  rightsIn,
  systemPrefix,
  systemRights,
} from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { entries, modules } from './catalogue.ts'

const carries = (rights: Membership | undefined, key: string): boolean =>
  rights !== undefined && (rights.leader || rights.permissions.has(key))

/** The caller's present permissions, in the team `teamId` if given, as limited by an API token or a view as a role. */
async function ownRights(ctx: Ctx, teamId: number | undefined) {
  const rights = teamId === undefined ? undefined : await rightsIn(ctx, teamId)
  const system = await systemRights(ctx)
  return {
    inTeam: (key: string) => ctx.actor.admin || carries(rights, key),
    inSystem: (key: string) => ctx.actor.admin || system.has(key),
  }
}

/** All permissions, each with whether the caller holds it: in the team of the tenant header, or by system role. */
export async function catalogue(ctx: Ctx): Promise<PermissionModule[]> {
  const { inTeam, inSystem } = await ownRights(ctx, ctx.tenantId)
  return modules(ctx.lang, ({ name, of }) => (of === 'team' ? inTeam(name) : inSystem(name)))
}

/** The caller's permissions in a team and by system roles; another user's in the team, with the right to view roles. */
export async function permissionsOf(ctx: Ctx, teamId: number, userId: number): Promise<PermissionEntry[]> {
  if (userId === ctx.actor.id) {
    const { inTeam, inSystem } = await ownRights(ctx, teamId)
    return entries((key) => (key.startsWith(systemPrefix) ? inSystem(key) : inTeam(key)), { system: true })
  }
  await mustHold(ctx, teamId, 'team_role_view')
  const rights = await membershipOf(ctx.db, userId, teamId)
  if (!rights) throw new Fault('missing', 'team-member-missing')
  return entries((key) => carries(rights, key))
}
