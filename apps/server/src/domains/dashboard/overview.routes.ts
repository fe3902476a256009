import { overview } from '@gantry/contract/dashboard/overview'
import type { Routes } from '../../http/route.ts'
import { readOverview } from './overview.service.ts'

export const routes: Routes = (route) => {
  route(overview.get, (ctx, { params }) => readOverview(ctx, params.teamId))
}
