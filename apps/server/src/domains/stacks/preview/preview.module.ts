import { dryRuns } from '@gantry/contract/stacks/preview/dry-run'
import { Fault } from '../../../kernel/fault.ts'
import { defineModule } from '../../../module.ts'
import { getServiceByName } from '../services/services.service.ts'
import { findServiceByName } from '../services/services.store.ts'
import { getStack } from '../stacks/stacks.service.ts'
import { dryRun } from './preview.service.ts'

export const module = defineModule({
  routes(route) {
    route(dryRuns.create, async (ctx, { params: { teamId, stackId, serviceName: name }, body }) => {
      const stack = await getStack(ctx, teamId, stackId)
      if (await findServiceByName(ctx.db, stack.id, name))
        throw new Fault('conflict', 'stacks-service-name-taken', { name, stack: stack.name })
      return dryRun(ctx, stack, name, body)
    })
    route(dryRuns.upgrade, async (ctx, { params: { teamId, stackId, serviceName }, body }) => {
      const stack = await getStack(ctx, teamId, stackId)
      return dryRun(ctx, stack, serviceName, body, await getServiceByName(ctx, stack, serviceName))
    })
  },
})
