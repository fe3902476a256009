import { usersTopic } from '@gantry/contract/users/topics'
import type { Ctx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'

/** Updates open lists of users: somebody registered, was locked, or regained access by a command on the server. */
export const publishUsers = (ctx: Ctx): Promise<void> => publish(ctx, usersTopic, {})
