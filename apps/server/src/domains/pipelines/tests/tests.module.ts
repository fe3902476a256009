import { tests } from '@gantry/contract/pipelines/findings/tests'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import { listRuns, listTests } from './tests.read.ts'

export const module = defineModule({
  routes(route) {
    route(tests.list, async (ctx, { params, query }) =>
      listTests(
        ctx.db,
        (await getPipeline(ctx, params.id)).id,
        params.number,
        { state: query.state ?? '', keyword: query.keyword ?? '' },
        page(query),
      ),
    )
    route(tests.history, async (ctx, { params, query }) =>
      listRuns(ctx.db, (await getPipeline(ctx, params.id)).id, query, page(query)),
    )
  },
})
