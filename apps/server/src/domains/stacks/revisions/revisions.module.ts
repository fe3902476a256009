import { revisions } from '@gantry/contract/stacks/revisions/revisions'
import { mustExist } from '../../../kernel/fault.ts'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { historyOf } from '../../audit/public.ts'
import { changed, stackOf } from '../services/answer.service.ts'
import { getService } from '../services/services.service.ts'
import { specOf } from './revisions.store.ts'

export const module = defineModule({
  routes(route) {
    route(revisions.get, async (ctx, { params: { teamId, envId, id, revision } }) => {
      const { service } = await getService(ctx, teamId, envId, id)
      return mustExist(await specOf(ctx.db, service, revision))
    })
    route(revisions.returnTo, async (ctx, { params, query }) =>
      changed(ctx, await stackOf(ctx, params), { type: 'return', id: params.id, to: params.revision, ...query }),
    )
    route(revisions.audit, async (ctx, { params: { teamId, envId, id }, query }) => {
      const { service, stack } = await getService(ctx, teamId, envId, id)
      const about = { teamId, of: 'service', within: stack.name, name: service.name, since: service.createdAt }
      const history = await historyOf(ctx, about, query.keyword, page(query))
      const items = history.items.map(({ id, username, apiValue, action, result, reason, startTime }) => {
        return { id, username, apiValue, action, result, reason, startTime }
      })
      return { ...history, items }
    })
  },
})
