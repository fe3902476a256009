import { tests } from '@gantry/contract/pipelines/findings/tests'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { requestedAttempt } from '../attempts/attempts.service.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import { listRuns, listTests } from './tests.read.ts'

export const module = defineModule({
  routes(route) {
    route(tests.list, async (ctx, { params, query }) => {
      const { id } = await getPipeline(ctx, params.id)
      const of = await requestedAttempt(ctx, id, params.number, query)
      const filter = { state: query.state ?? '', keyword: query.keyword ?? '', of }
      return listTests(ctx.db, id, params.number, filter, page(query))
    })
    route(tests.history, async (ctx, { params, query }) =>
      listRuns(ctx.db, (await getPipeline(ctx, params.id)).id, query, page(query)),
    )
  },
})
