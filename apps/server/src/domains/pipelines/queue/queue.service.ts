import type { QueueSettings } from '@gantry/contract/pipelines/queue'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { sharedWakeup } from '../../../kernel/wakeup.ts'
import { putQueueSettings, queueSettings } from './queue.store.ts'

/** Wakes agents' waiting claims when a build was queued or stopped, or a slot became free. */
export const queued = sharedWakeup('queue')

export const writeQueueSettings = (ctx: Ctx, after: QueueSettings): Promise<QueueSettings> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: 'queue', before: await queueSettings(ctx.db), after })
    await putQueueSettings(ctx.db, after)
    // builds that were held back may begin now
    queued.wakeAfterCommit(ctx)
    return after
  })
