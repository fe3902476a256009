import { z } from 'zod'
import { type Job, job } from '../../../kernel/jobs/jobs.ts'
import { lookForMissing } from './missing.service.ts'

/** The rows are kept current by a watch, so that a round asks a cluster nothing as long as all is there. */
const look = job({
  name: 'stacks-missing',
  schema: z.object({}),
  every: 20,
  retry: { limit: 0, delaySeconds: 0 },
  run: lookForMissing,
})

export const jobs: Job[] = [look]
