import { environmentsTopic } from '@gantry/contract/clusters/topics'
import type { Ctx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'

/** Pages that show clusters read again. The event does not say which cluster: the reader may not be allowed to know. */
export const publishEnvironments = (ctx: Ctx): Promise<void> => publish(ctx, environmentsTopic, {})
