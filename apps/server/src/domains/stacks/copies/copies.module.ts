import { copies } from '@gantry/contract/stacks/copies/copies'
import { sayReasonTo, sayTo } from '../../../kernel/phrase.ts'
import { defineModule } from '../../../module.ts'
import { whyUncounted } from '../access-log/access-log.service.ts'
import { changed, stackOf } from '../services/answer.service.ts'
import { getService } from '../services/services.service.ts'
import { shownCopy } from './shown-copy.ts'
import { dividableWays, mustDivide } from './ways-in.service.ts'

export const module = defineModule({
  routes(route) {
    route(copies.blueGreen, async (ctx, { params, query, body: { spec } }) =>
      changed(ctx, await stackOf(ctx, params), { type: 'bluegreen', id: params.id, spec, ...query }),
    )
    route(copies.gray, async (ctx, { params, query, body }) => {
      const { teamId, envId, id } = params
      const { service, stack } = await getService(ctx, teamId, envId, id)
      if (body.by === 'requests') await mustDivide(ctx, stack, service.name)
      return changed(ctx, stack, { type: 'gray', id, ...body, ...query })
    })
    route(copies.grayWays, async (ctx, { params: { teamId, envId, id } }) => {
      const { service, stack } = await getService(ctx, teamId, envId, id)
      const { ways, why } = await dividableWays(ctx, stack, service.name)
      return {
        ways: ways.map(({ name }) => name),
        why: why ? sayTo(ctx, why) : '',
        uncounted: sayReasonTo(ctx, await whyUncounted(ctx, stack, ways)),
      }
    })
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
