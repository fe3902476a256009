import { copies } from '@gantry/contract/stacks/copies/copies'
import { defineModule } from '../../../module.ts'
import { changed, stackOf } from '../services/answer.service.ts'
import { getService } from '../services/services.service.ts'
import { shownCopy } from './shown-copy.ts'

export const module = defineModule({
  routes(route) {
    route(copies.blueGreen, async (ctx, { params, query, body: { spec } }) =>
      changed(ctx, await stackOf(ctx, params), { type: 'bluegreen', id: params.id, spec, ...query }),
    )
    route(copies.gray, async (ctx, { params, query, body }) =>
      changed(ctx, await stackOf(ctx, params), { type: 'gray', id: params.id, ...body, ...query }),
    )
    route(copies.grayOf, async (ctx, { params: { teamId, envId, id } }) => {
      const { service, stack } = await getService(ctx, teamId, envId, id)
      const copy = shownCopy(ctx, stack, service)
      return copy?.type === 'gray' ? copy : null
    })
    route(copies.goOn, async (ctx, { params }) =>
      changed(ctx, await stackOf(ctx, params), { type: 'goOn', id: params.id }),
    )
  },
})
