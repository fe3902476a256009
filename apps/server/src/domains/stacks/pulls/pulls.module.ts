import { pullSecrets } from '@gantry/contract/harbor/pull-secrets'
import { z } from 'zod'
import { job } from '../../../kernel/jobs/jobs.ts'
import { defineModule } from '../../../module.ts'
import { renewPullSecrets, synchronizePullSecrets } from './pulls.service.ts'

/** A renewed password is in every namespace within a minute. */
const renew = job({
  name: 'stacks-pull-secrets',
  schema: z.object({}),
  every: 20,
  retry: { limit: 0, delaySeconds: 0 },
  run: renewPullSecrets,
})

export const module = defineModule({
  routes(route) {
    route(pullSecrets.synchronize, synchronizePullSecrets)
  },
  jobs: [renew],
})
