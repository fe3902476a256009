import { audit } from '@gantry/contract/audit/audit'
import type { Routes } from '../../http/route.ts'
import { search } from './audit.service.ts'

export const routes: Routes = (route) => {
  route(audit.search, (ctx, { query }) => search(ctx, query))
}
