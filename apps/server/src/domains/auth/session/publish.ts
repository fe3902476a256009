import { usersTopic } from '@gantry/contract/users/topics'
import type { Ctx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'

/** Whoever looks at the list of users sees it change: somebody registered, was locked, or let in on the server. */
export const publishUsers = (ctx: Ctx): Promise<void> => publish(ctx, usersTopic, {})
