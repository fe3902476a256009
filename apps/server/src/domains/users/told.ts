import { topics } from '@gantry/contract/push/topics'
import type { Ctx } from '../../kernel/context.ts'
import { emit } from '../../kernel/events.ts'
import { tellTeamsOf } from '../teams/public.ts'

/** Open lists of users follow. */
export const tellUsers = (ctx: Ctx): Promise<void> =>
  emit(ctx, { topic: topics.users(), content: { changed: 'users' } })

/** As tellUsers, and the lists of members in which the user stands. */
export async function tellOf(ctx: Ctx, userId: number): Promise<void> {
  await tellUsers(ctx)
  await tellTeamsOf(ctx, userId)
}
