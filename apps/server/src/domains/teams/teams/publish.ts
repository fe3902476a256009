import { teamsTopic, teamTopic } from '@gantry/contract/teams/topics'
import { userTopic, usersTopic } from '@gantry/contract/users/topics'
import type { Ctx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { teamsOf } from './teams.read.ts'

/** Updates open pages of the team and the list of all teams. */
export async function publishTeam(ctx: Ctx, teamId: number, changed: 'team' | 'members'): Promise<void> {
  await publish(ctx, teamTopic, { teamId }, { changed })
  await publish(ctx, teamsTopic, {})
}

/** Like publishTeam, and makes the consoles of the changed members reload their teams and permissions. */
export async function publishMembers(ctx: Ctx, teamId: number, userIds: number[]): Promise<void> {
  await publishTeam(ctx, teamId, 'members')
  await publish(ctx, usersTopic, {})
  for (const userId of userIds) await publish(ctx, userTopic, { userId })
}

/** Updates the member lists of a user's teams: the user's name, picture or status has changed. */
export async function publishTeamsOf(ctx: Ctx, userId: number): Promise<void> {
  for (const teamId of await teamsOf(ctx.db, userId)) await publish(ctx, teamTopic, { teamId }, { changed: 'members' })
}
