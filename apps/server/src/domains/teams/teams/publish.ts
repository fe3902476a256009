import { teamsTopic, teamTopic } from '@gantry/contract/teams/topics'
import { userTopic, usersTopic } from '@gantry/contract/users/topics'
import type { Ctx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { teamsOf } from './teams.read.ts'

/** Open screens of the team and the list of all teams follow what changed in it. */
export async function publishTeam(ctx: Ctx, teamId: number, changed: 'team' | 'members'): Promise<void> {
  await publish(ctx, teamTopic, { teamId }, { changed })
  await publish(ctx, teamsTopic, {})
}

/** As publishTeam, and those whose membership changed: their consoles load their teams and rights again. */
export async function publishMembers(ctx: Ctx, teamId: number, userIds: number[]): Promise<void> {
  await publishTeam(ctx, teamId, 'members')
  await publish(ctx, usersTopic, {})
  for (const userId of userIds) await publish(ctx, userTopic, { userId })
}

/** A user is called otherwise, looks otherwise or may not sign in any more: their teams' lists of members show it. */
export async function publishTeamsOf(ctx: Ctx, userId: number): Promise<void> {
  for (const teamId of await teamsOf(ctx.db, userId)) await publish(ctx, teamTopic, { teamId }, { changed: 'members' })
}
