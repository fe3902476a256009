import { releases } from '@gantry/contract/helm/releases'
import { releasesTopic } from '@gantry/contract/helm/topics'
import { serve } from '../../../http/push/sources.ts'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { deployChart } from './deploy.service.ts'
import { releaseReconciler } from './reconcile.service.ts'
import { search } from './releases.search.ts'
import { readRelease, readReleases, removeRelease, rollbackRelease } from './releases.service.ts'

export const module = defineModule({
  routes(route) {
    route(releases.list, (ctx, { params, query }) => readReleases(ctx, params.tenantId, query, page(query)))
    route(releases.get, (ctx, { params, query }) => readRelease(ctx, params.tenantId, params.id, query.cluster))
    route(releases.deploy, (ctx, { params, query, body }) =>
      deployChart(ctx, params.tenantId, query.envUuid, body, query.dryRun === 'true'),
    )
    route(releases.rollback, (ctx, { params, query }) => rollbackRelease(ctx, params.tenantId, params.id, query))
    route(releases.remove, (ctx, { params, query }) => removeRelease(ctx, params.tenantId, params.id, query.cluster))
  },
  reconcilers: [releaseReconciler],
  search: [search],
  topics: [serve(releasesTopic)],
})
