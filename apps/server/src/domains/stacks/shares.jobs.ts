import { z } from 'zod'
import { type Job, job } from '../../kernel/jobs.ts'
import { compareShares } from './shares.service.ts'

const compare = job({
  name: 'stacks-shares',
  schema: z.object({}),
  every: 120,
  retry: { limit: 0, delaySeconds: 0 },
  run: compareShares,
})

export const jobs: Job[] = [compare]
