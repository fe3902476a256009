import { lint } from '@gantry/contract/pipelines/editing/lint'
import { defineModule } from '../../../module.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import { lintPipeline } from './lint.service.ts'

export const module = defineModule({
  routes(route) {
    route(lint.stored, async (ctx, { params }) => {
      const pipeline = await getPipeline(ctx, params.id)
      return lintPipeline(ctx, pipeline, pipeline.definition.stages)
    })
    route(lint.draft, async (ctx, { params, body }) =>
      lintPipeline(ctx, await getPipeline(ctx, params.id), body.stages),
    )
  },
})
