import { topology } from '@gantry/contract/stacks/topology'
import { containing, page, paged } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { getStackByName } from '../stacks/stacks.service.ts'
import { claimsOfStack } from './claims.service.ts'
import { topologyOf } from './topology.service.ts'

export const module = defineModule({
  routes(route) {
    route(topology.get, async (ctx, { params: { teamId, envId, stackName } }) =>
      topologyOf(ctx, await getStackByName(ctx, teamId, envId, stackName)),
    )
    route(topology.claims, async (ctx, { params: { teamId, envId, name }, query }) => {
      const claims = await claimsOfStack(ctx, await getStackByName(ctx, teamId, envId, name))
      return paged(
        containing(claims, query.keyword, (claim) => [claim.name, ...claim.usedBy]),
        page(query),
      )
    })
  },
})
