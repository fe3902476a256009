import { queue } from '@gantry/contract/pipelines/queue'
import { defineModule } from '../../../module.ts'
import { jobs } from './leases.jobs.ts'
import { writeQueueSettings } from './queue.service.ts'
import { queueSettings } from './queue.store.ts'

export const module = defineModule({
  routes(route) {
    route(queue.get, (ctx) => queueSettings(ctx.db))
    route(queue.set, (ctx, { body }) => writeQueueSettings(ctx, body))
  },
  jobs,
})
