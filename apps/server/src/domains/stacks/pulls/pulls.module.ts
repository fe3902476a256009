import { pullSecrets } from '@gantry/contract/harbor/pull-secrets'
import { scheduled } from '../../../kernel/jobs/jobs.ts'
import { defineModule } from '../../../module.ts'
import { renewPullSecrets, synchronizePullSecrets } from './pulls.service.ts'

/** A renewed password is in every namespace within a minute. */
const renew = scheduled({
  name: 'stacks-pull-secrets',
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
