import { traces } from '@gantry/contract/tracing/traces'
import { defineModule } from '../../../module.ts'
import { stackOf } from '../sources/stack-of.service.ts'
import { traceOf } from './trace.service.ts'
import { tracedOperations, tracedServices, tracesOfStack } from './traces.service.ts'

export const module = defineModule({
  routes(route) {
    route(traces.list, async (ctx, { params, query }) => tracesOfStack(ctx, await stackOf(ctx, params), query))
    route(traces.services, async (ctx, { params }) => tracedServices(ctx, await stackOf(ctx, params)))
    route(traces.operations, async (ctx, { params, query }) =>
      tracedOperations(ctx, await stackOf(ctx, params), query.service),
    )
    route(traces.get, async (ctx, { params }) => traceOf(ctx, await stackOf(ctx, params), params.traceId))
  },
})
