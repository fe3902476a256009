import { search } from '@gantry/contract/search/search'
import type { Routes } from '../../http/route.ts'
import { findThings } from './search.service.ts'

export const routes: Routes = (route) => {
  route(search.find, (ctx, { query }) => findThings(ctx, query.keyword))
}
