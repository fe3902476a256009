import type { QueueSettings } from '@gantry/contract/pipelines/queue'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { sharedWakeup } from '../../../kernel/wakeup.ts'
import { putQueueSettings, queueSettings } from './queue.store.ts'

/** Rung when a build was queued or stopped, or a place became free: agents' calls wait for it. */
export const queued = sharedWakeup('queue')

export const writeQueueSettings = (ctx: Ctx, after: QueueSettings): Promise<QueueSettings> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: 'queue', before: await queueSettings(ctx.db), after })
    await putQueueSettings(ctx.db, after)
    // builds that were held back may start now
    queued.wakeAfterCommit(ctx)
    return after
  })
