import { userTopic } from '@gantry/contract/users/topics'
import type { Ctx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { publishUsers } from '../../auth/public.ts'
import { publishTeamsOf } from '../../teams/public.ts'

/** Like publishUsers, and updates the member lists that contain the user, and the user's own consoles. */
export async function publishUser(ctx: Ctx, userId: number): Promise<void> {
  await publishUsers(ctx)
  await publish(ctx, userTopic, { userId })
  await publishTeamsOf(ctx, userId)
}
