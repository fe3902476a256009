import { takeovers } from '@gantry/contract/blueprints/takeovers'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { checkTakeover, listNamespaces, takeOverNamespace } from './takeovers.service.ts'

export const module = defineModule({
  routes(route) {
    route(takeovers.namespaces, (ctx, { params, query }) =>
      listNamespaces(ctx, params, query.search ?? query.keyword, page(query)),
    )
    route(takeovers.check, (ctx, { params, body }) => checkTakeover(ctx, params, body))
    route(takeovers.takeOver, (ctx, { params, body }) => takeOverNamespace(ctx, params, body))
  },
})
