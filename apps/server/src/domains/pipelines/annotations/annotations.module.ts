import { annotations } from '@gantry/contract/pipelines/findings/annotations'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import { listAnnotations } from './annotations.store.ts'

export const module = defineModule({
  routes(route) {
    route(annotations.list, async (ctx, { params, query }) =>
      listAnnotations(
        ctx.db,
        (await getPipeline(ctx, params.id)).id,
        params.number,
        { level: query.level ?? '', keyword: query.keyword ?? '' },
        page(query),
      ),
    )
  },
})
