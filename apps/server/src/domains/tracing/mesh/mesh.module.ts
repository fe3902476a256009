import { mesh } from '@gantry/contract/tracing/mesh'
import { defineModule } from '../../../module.ts'
import { stackOf } from '../sources/stack-of.service.ts'
import { meshOf } from './mesh.service.ts'

export const module = defineModule({
  routes(route) {
    route(mesh.graph, async (ctx, { params, query }) => meshOf(ctx, await stackOf(ctx, params), query))
  },
})
