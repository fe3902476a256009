import { monitoring } from '@gantry/contract/monitoring/metrics'
import { defineModule } from '../../../module.ts'
import { measureFirst } from '../samples/sampling-priority.service.ts'
import { readSource, writeSource } from '../sources/sources.service.ts'
import { healthOf } from './health.service.ts'
import { measuredForTeam, measuredOfCluster } from './metrics.service.ts'

export const module = defineModule({
  routes(route) {
    route(monitoring.health, (ctx, { params }) => healthOf(ctx, params.env, params.tenant))
    route(monitoring.query, (ctx, { params: { tenant, env, expression }, query }) =>
      measuredForTeam(ctx, { teamId: tenant, environment: env, expression }, query, query),
    )
    route(monitoring.ofCluster, (ctx, { params, query }) =>
      measuredOfCluster(ctx, { environment: params.env, expression: params.metrics }, query, query),
    )
    route(monitoring.containerOn, (ctx, { params: { t, e, s, svc, i } }) =>
      measureFirst(ctx, { teamId: t, environment: e, stack: s, serviceId: svc, container: i }),
    )
    route(monitoring.source, (ctx, { params }) => readSource(ctx, params.env))
    route(monitoring.setSource, (ctx, { params, body }) => writeSource(ctx, params.env, body))
  },
})
