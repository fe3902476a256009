import { caches } from '@gantry/contract/pipelines/caches'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import { clearCaches } from './caches.service.ts'
import { listEntries } from './caches.store.ts'

export const module = defineModule({
  routes(route) {
    route(caches.list, async (ctx, { params, query }) =>
      listEntries(ctx.db, (await getPipeline(ctx, params.id)).id, query.keyword ?? '', page(query)),
    )
    route(caches.clear, (ctx, { params }) => clearCaches(ctx, params.id))
  },
})
