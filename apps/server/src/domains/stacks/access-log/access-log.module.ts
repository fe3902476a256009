import { ways } from '@gantry/contract/stacks/ways'
import { defineModule } from '../../../module.ts'
import { getService } from '../services/services.service.ts'
import { readAccessLog } from './access-log.service.ts'

export const module = defineModule({
  routes(route) {
    route(ways.accessLog, async (ctx, { params: { teamId, envId, id }, query }) => {
      const { service, stack } = await getService(ctx, teamId, envId, id)
      return readAccessLog(ctx, stack, { id, outward: service.spec.outward }, query)
    })
  },
})
