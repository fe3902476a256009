import { topics } from '@gantry/contract/push/topics'
import type { Ctx } from '../../kernel/context.ts'
import { emit } from '../../kernel/events.ts'

/** Whoever looks at the list of users sees it change: somebody registered, was locked, or let in on the server. */
export const tellUsers = (ctx: Ctx): Promise<void> =>
  emit(ctx, { topic: topics.users(), content: { changed: 'users' } })
