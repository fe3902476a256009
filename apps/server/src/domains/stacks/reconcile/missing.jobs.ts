import { type Job, scheduled } from '../../../kernel/jobs/jobs.ts'
import { lookForMissing } from './missing.service.ts'

/** A watch keeps the rows current, so that a run requests nothing from a cluster while nothing is missing. */
const look = scheduled({
  name: 'stacks-missing',
  every: 20,
  retry: { limit: 0, delaySeconds: 0 },
  run: lookForMissing,
})

export const jobs: Job[] = [look]
