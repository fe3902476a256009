import { topics } from '@gantry/contract/push/topics'
import type { Ctx } from '../../kernel/context.ts'
import { emit } from '../../kernel/events.ts'

/** Whoever shows clusters reads them again. Which one it is is not said: it may be none of theirs. */
export const tellChanged = (ctx: Ctx): Promise<void> =>
  emit(ctx, { topic: topics.environments(), content: { changed: 'environments' } })
