import { topics } from '@gantry/contract/push/topics'
import type { Ctx } from '../../kernel/context.ts'
import { emit } from '../../kernel/events.ts'
import { teamsOf } from './teams.read.ts'

/** Open screens of the team and the list of all teams follow what changed in it. */
export async function tellTeam(ctx: Ctx, teamId: number, changed: 'team' | 'members'): Promise<void> {
  await emit(ctx, { topic: topics.team(teamId), teamId, content: { changed } })
  await emit(ctx, { topic: topics.teams(), content: { changed: 'teams' } })
}

/** As tellTeam, and those whose membership changed: their consoles load their teams and rights again. */
export async function tellMembers(ctx: Ctx, teamId: number, userIds: number[]): Promise<void> {
  await tellTeam(ctx, teamId, 'members')
  await emit(ctx, { topic: topics.users(), content: { changed: 'users' } })
  for (const id of userIds) await emit(ctx, { topic: topics.user(id), content: { changed: 'rights' } })
}

/** A user is called otherwise, looks otherwise or may not sign in any more: their teams' lists of members show it. */
export async function tellTeamsOf(ctx: Ctx, userId: number): Promise<void> {
  for (const teamId of await teamsOf(ctx.db, userId))
    await emit(ctx, { topic: topics.team(teamId), teamId, content: { changed: 'members' } })
}
