import { overview } from '@gantry/contract/dashboard/overview'
import { defineModule } from '../../module.ts'
import { readOverview } from './overview.service.ts'

export const module = defineModule({
  routes(route) {
    route(overview.get, (ctx, { params }) => readOverview(ctx, params.teamId))
  },
})
