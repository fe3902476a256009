import { coverage } from '@gantry/contract/pipelines/findings/coverage'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { buildOf, readCoverage } from './coverage.service.ts'
import { listFiles } from './coverage.store.ts'

export const module = defineModule({
  routes(route) {
    route(coverage.get, (ctx, { params }) => readCoverage(ctx, params.id, params.number))
    route(coverage.files, async (ctx, { params, query }) =>
      listFiles(ctx.db, await buildOf(ctx, params.id, params.number), query.keyword ?? '', page(query)),
    )
  },
})
