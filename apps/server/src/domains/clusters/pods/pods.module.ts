import { pods, podsTopic } from '@gantry/contract/clusters/pods'
import { eventsTopic } from '@gantry/contract/clusters/topics'
import { serve } from '../../../http/push/sources.ts'
import { defineModule } from '../../../module.ts'
import { scopedSource } from '../live/watch.ts'
import { watchEvents } from './events.watch.ts'
import { listEvents, listPods } from './pods.service.ts'
import { watchPods } from './pods.watch.ts'

export const module = defineModule({
  routes(route) {
    route(pods.list, (ctx, { params, query }) => listPods(ctx, params.env, query))
    route(pods.events, (ctx, { params, query }) => listEvents(ctx, params.env, query))
  },
  /** published from each replica's own cache: changes in clusters are many, and we store none of them */
  topics: [serve(podsTopic, scopedSource(watchPods)), serve(eventsTopic, scopedSource(watchEvents))],
})
