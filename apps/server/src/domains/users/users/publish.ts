import type { Ctx } from '../../../kernel/context.ts'
import { publishUsers } from '../../auth/public.ts'
import { publishTeamsOf } from '../../teams/public.ts'

/** As publishUsers, and the lists of members in which the user stands. */
export async function publishUser(ctx: Ctx, userId: number): Promise<void> {
  await publishUsers(ctx)
  await publishTeamsOf(ctx, userId)
}
