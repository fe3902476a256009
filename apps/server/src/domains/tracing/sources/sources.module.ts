import { tracingSources } from '@gantry/contract/tracing/sources'
import { defineModule } from '../../../module.ts'
import { readSource, writeSource } from './sources.service.ts'

export const module = defineModule({
  routes(route) {
    route(tracingSources.get, (ctx, { params: { env, kind } }) => readSource(ctx, env, kind))
    route(tracingSources.set, (ctx, { params: { env, kind }, body }) => writeSource(ctx, env, kind, body))
  },
})
