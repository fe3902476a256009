import type { QueueSettings } from '@gantry/contract/pipelines/queue'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { queued } from './queue.ts'
import { putQueueSettings, queueSettings } from './queue.store.ts'

export const writeQueueSettings = (ctx: Ctx, after: QueueSettings): Promise<QueueSettings> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: 'queue', before: await queueSettings(ctx.db), after })
    await putQueueSettings(ctx.db, after)
    // what was held back may go now
    queued.wakeAfterCommit(ctx)
    return after
  })
