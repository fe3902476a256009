import { z } from 'zod'
import { job } from '../../kernel/jobs/jobs.ts'
import { finishRemoval } from './removal.service.ts'

export const removeSampleJob = job({
  name: 'sample-remove',
  schema: z.object({ teamId: z.number().int() }),
  run: (ctx, { teamId }) => finishRemoval(ctx, teamId),
  // a build whose agent is lost ends after a minute; a cluster that is away may need longer
  retry: { limit: 10, delaySeconds: 10 },
  concurrency: 4,
})

export const jobs = [removeSampleJob]
