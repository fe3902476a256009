import { drift } from '@gantry/contract/stacks/drift'
import { scheduled } from '../../../kernel/jobs/jobs.ts'
import { defineModule } from '../../../module.ts'
import { compareAll, driftOf, keepDrift, putBack } from './drift.service.ts'

const compare = scheduled({
  name: 'stacks-drift',
  every: 120,
  retry: { limit: 0, delaySeconds: 0 },
  run: compareAll,
})

export const module = defineModule({
  routes(route) {
    route(drift.get, (ctx, { params: { teamId, envId, id } }) => driftOf(ctx, teamId, envId, id))
    route(drift.keep, (ctx, { params: { teamId, envId, id } }) => keepDrift(ctx, teamId, envId, id))
    route(drift.putBack, (ctx, { params: { teamId, envId, id } }) => putBack(ctx, teamId, envId, id))
  },
  jobs: [compare],
})
