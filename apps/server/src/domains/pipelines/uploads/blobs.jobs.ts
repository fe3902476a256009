import type { Ctx } from '../../../kernel/context.ts'
import { garbage, noteRemoved } from './blobs.store.ts'
import { enqueue, type Job, scheduled } from '../../../kernel/jobs/jobs.ts'

/** Removes blobs whose rows are gone. A key is deleted only after the store has deleted the blob. */
const sweep = scheduled({
  name: 'pipelines-sweep-blobs',
  every: 300,
  async run(ctx) {
    for (const key of await garbage(ctx.db, 500)) {
      await ctx.ports.blobs.delete(key)
      await noteRemoved(ctx.db, key)
    }
  },
})

/** Enqueues a sweep now; blobs left by a dead server are swept every five minutes. */
export const sweepBlobs = (ctx: Ctx): Promise<void> => enqueue(ctx, sweep, {}, { key: 'sweep' })

export const jobs: Job[] = [sweep]
