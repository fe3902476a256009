import { type Ctx, inTx } from '../../../kernel/context.ts'
import { findRole } from '../roles/roles.store.ts'
import { countLeaders, deleteMember, grantMember, lockTeam, mappedMemberships } from '../teams/teams.store.ts'
import { publishMembers } from '../teams/publish.ts'

/** A team that a group of a directory or provider maps to; role 0 makes leaders, null members without a role. */
export interface MappedTeam {
  teamId: number
  roleId: number | null
}

/** Of several mappings to one team the leader's takes precedence, then the first with a role. */
function strongest(wanted: MappedTeam[]): Map<number, number | null> {
  const byTeam = new Map<number, number | null>()
  for (const { teamId, roleId } of wanted) {
    const known = byTeam.get(teamId)
    if (known === undefined || roleId === 0 || (known === null && roleId !== null)) byTeam.set(teamId, roleId)
  }
  return byTeam
}

/**
 * Makes the memberships granted by `source` match its present mappings: adds, changes roles and removes. Memberships
 * made by hand stay, and so does a team's last leader. Deleted teams and roles are skipped.
 */
export const applyMappings = (ctx: Ctx, accountId: number, source: string, wanted: MappedTeam[]): Promise<void> =>
  inTx(ctx, async (ctx) => {
    const now = strongest(wanted)
    const before = await mappedMemberships(ctx.db, accountId, source)
    const teams = new Set([...now.keys(), ...before.map(({ teamId }) => teamId)])
    // in the order of their ids, so that two logins do not deadlock
    for (const teamId of [...teams].sort((a, b) => a - b)) {
      const current = before.find((membership) => membership.teamId === teamId)
      const role = now.get(teamId)
      const leader = role === 0
      const roleId = role && (await findRole(ctx.db, teamId, role)) ? role : null
      if (current && role !== undefined && current.leader === leader && current.roleId === roleId) continue
      if (!(await lockTeam(ctx.db, teamId))) continue
      if (current?.leader && !leader && (await countLeaders(ctx.db, teamId)) === 1) continue
      if (role === undefined) await deleteMember(ctx.db, teamId, accountId)
      else
        await grantMember(ctx.db, {
          team_id: teamId,
          account_id: accountId,
          leader,
          role_id: roleId,
          granted_by: source,
        })
      await publishMembers(ctx, teamId, [accountId])
    }
  })
