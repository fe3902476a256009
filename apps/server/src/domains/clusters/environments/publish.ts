import { environmentsTopic } from '@gantry/contract/clusters/topics'
import type { Ctx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'

/** Whoever shows clusters reads them again. Which one it is is not said: it may be none of theirs. */
export const publishEnvironments = (ctx: Ctx): Promise<void> =>
  publish(ctx, environmentsTopic, {}, { changed: 'environments' })
