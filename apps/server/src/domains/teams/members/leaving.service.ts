import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { deleteMemberships, lockTeamsOf, teamsLedAlone } from '../teams/teams.store.ts'
import { publishTeam } from '../teams/publish.ts'

/**
 * Removes users from all of their teams before they are deleted. Refused if a team would lose its last leader. Called
 * in a transaction.
 */
export async function leaveTeams(ctx: Ctx, userIds: number[]): Promise<void> {
  const teams = await lockTeamsOf(ctx.db, userIds)
  const led = await teamsLedAlone(ctx.db, userIds)
  if (led.length > 0) throw new Fault('conflict', 'team-led-alone', { teams: led.join(', ') })
  await deleteMemberships(ctx.db, userIds)
  for (const { id } of teams) await publishTeam(ctx, id, 'members')
}
