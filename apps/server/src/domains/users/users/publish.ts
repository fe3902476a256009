import { usersTopic } from '@gantry/contract/users/topics'
import type { Ctx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { publishTeamsOf } from '../../teams/public.ts'

/** Open lists of users follow. */
export const publishUsers = (ctx: Ctx): Promise<void> => publish(ctx, usersTopic, {}, { changed: 'users' })

/** As publishUsers, and the lists of members in which the user stands. */
export async function publishUser(ctx: Ctx, userId: number): Promise<void> {
  await publishUsers(ctx)
  await publishTeamsOf(ctx, userId)
}
