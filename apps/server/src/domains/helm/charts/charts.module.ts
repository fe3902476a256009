import { charts } from '@gantry/contract/helm/charts'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { usableRepository } from '../repositories/repositories.service.ts'
import { inspectChart } from './charts.service.ts'
import { listCharts, listVersions } from './charts.store.ts'

export const module = defineModule({
  routes(route) {
    route(charts.list, async (ctx, { params, query }) => {
      const { id } = await usableRepository(ctx, params.tenantId, params.repoId)
      return listCharts(ctx.db, id, { keyword: query.keyword ?? '', sort: query.sort }, page(query))
    })
    route(charts.versions, async (ctx, { params, query }) => {
      const { id } = await usableRepository(ctx, params.tenantId, params.repoId)
      return listVersions(ctx.db, id, params.chartName, query.keyword ?? '', page(query))
    })
    route(charts.inspect, (ctx, { params }) => inspectChart(ctx, params))
  },
})
