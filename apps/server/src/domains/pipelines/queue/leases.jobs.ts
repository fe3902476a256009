import { z } from 'zod'
import { type Job, job } from '../../../kernel/jobs/jobs.ts'
import { expireGates } from '../jobs/gates.service.ts'
import { collectLost } from './leases.service.ts'

const lost = job({
  name: 'pipelines-collect-lost',
  schema: z.object({}),
  every: 5,
  async run(ctx) {
    await collectLost(ctx)
  },
})

const gates = job({
  name: 'pipelines-expire-gates',
  schema: z.object({}),
  every: 60,
  run: expireGates,
})

export const jobs: Job[] = [lost, gates]
