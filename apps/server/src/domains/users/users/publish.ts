import type { Ctx } from '../../../kernel/context.ts'
import { publishUsers } from '../../auth/public.ts'
import { publishTeamsOf } from '../../teams/public.ts'

/** Like publishUsers, and updates the member lists that contain the user. */
export async function publishUser(ctx: Ctx, userId: number): Promise<void> {
  await publishUsers(ctx)
  await publishTeamsOf(ctx, userId)
}
