import { replications } from '@gantry/contract/harbor/replication'
import { scheduled } from '../../../kernel/jobs/jobs.ts'
import { defineModule } from '../../../module.ts'
import { followReplications, readReplication, startReplication, stopReplication } from './replication.service.ts'

const follow = scheduled({
  name: 'harbor-replications',
  every: 30,
  retry: { limit: 0, delaySeconds: 0 },
  run: followReplications,
})

export const module = defineModule({
  routes(route) {
    route(replications.start, (ctx, { params, body }) => startReplication(ctx, params.id, body))
    route(replications.get, (ctx, { params }) => readReplication(ctx, params.id, params.replicationId))
    route(replications.stop, (ctx, { params }) => stopReplication(ctx, params.id, params.replicationId))
  },
  jobs: [follow],
})
