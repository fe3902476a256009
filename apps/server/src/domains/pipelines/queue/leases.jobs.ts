import { type Job, scheduled } from '../../../kernel/jobs/jobs.ts'
import { expireGates } from '../jobs/gates.service.ts'
import { collectLost } from './leases.service.ts'

const lost = scheduled({
  name: 'pipelines-collect-lost',
  every: 10,
  async run(ctx) {
    await collectLost(ctx)
  },
})

const gates = scheduled({
  name: 'pipelines-expire-gates',
  every: 60,
  run: expireGates,
})

export const jobs: Job[] = [lost, gates]
