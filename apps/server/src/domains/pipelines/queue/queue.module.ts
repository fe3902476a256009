import { queue } from '@gantry/contract/pipelines/queue'
import { running } from '@gantry/contract/pipelines/running'
import { defineModule } from '../../../module.ts'
import { jobs } from './leases.jobs.ts'
import { pausePipeline } from './pause.service.ts'
import { writeQueueSettings } from './queue.service.ts'
import { queueSettings } from './queue.store.ts'

export const module = defineModule({
  routes(route) {
    route(queue.get, (ctx) => queueSettings(ctx.db))
    route(running.pause, (ctx, { params, body }) => pausePipeline(ctx, params.id, body))
    route(queue.set, (ctx, { body }) => writeQueueSettings(ctx, body))
  },
  jobs,
})
