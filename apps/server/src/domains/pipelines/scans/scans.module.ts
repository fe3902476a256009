import { scans } from '@gantry/contract/pipelines/findings/scans'
import { defineModule } from '../../../module.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import { scansOf } from './scans.store.ts'

export const module = defineModule({
  routes(route) {
    route(scans.list, async (ctx, { params }) => scansOf(ctx.db, (await getPipeline(ctx, params.id)).id, params.number))
  },
})
