import { z } from 'zod'
import { type Job, job } from '../../../kernel/jobs/jobs.ts'
import { lookForMissing } from './missing.service.ts'

/** A watch keeps the rows current, so that a run requests nothing from a cluster while nothing is missing. */
const look = job({
  name: 'stacks-missing',
  schema: z.object({}),
  every: 20,
  retry: { limit: 0, delaySeconds: 0 },
  run: lookForMissing,
})

export const jobs: Job[] = [look]
