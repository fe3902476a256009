import { search } from '@gantry/contract/search/search'
import { defineModule } from '../../module.ts'
import { findThings } from './search.service.ts'

export const module = defineModule({
  routes(route) {
    route(search.find, (ctx, { query }) => findThings(ctx, query.keyword))
  },
})
