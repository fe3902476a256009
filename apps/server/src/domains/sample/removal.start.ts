import type { Start } from '../../http/server.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'
import { removeSampleJob } from './sample.jobs.ts'
import { samplesBeingRemoved } from './sample.store.ts'

/** Takes up the removals that an end of the server left half done, without waiting until their jobs are given up. */
export const start: Start = {
  order: 90,
  async run(ctx) {
    for (const teamId of await samplesBeingRemoved(ctx.db)) await enqueue(ctx, removeSampleJob, { teamId })
  },
}
