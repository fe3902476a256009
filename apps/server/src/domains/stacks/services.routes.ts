import { services } from '@gantry/contract/stacks/services'
import type { Routes } from '../../http/route.ts'
import { Fault } from '../../kernel/fault.ts'
import { page, paged } from '../../kernel/paging.ts'
import { eventsOf } from './events.service.ts'
import { containersOf, readService, summaries } from './live.service.ts'
import {
  cancelUpgrade,
  confirmUpgrade,
  createService,
  getService,
  getServiceByName,
  removeService,
  restartServices,
  rollBack,
  scaleService,
  upgradeService,
} from './services.service.ts'
import { listServices } from './services.store.ts'
import { getStack } from './stacks.service.ts'
import { findStackByName } from './stacks.store.ts'

export const routes: Routes = (route) => {
  route(services.list, async (ctx, { params, query }) => {
    const stack = await getStack(ctx, params.teamId, params.uuid, params.envId)
    const list = await listServices(
      ctx.db,
      stack.id,
      { keyword: query.search ?? query.keyword ?? '', state: query.state ?? '' },
      page(query),
    )
    return { ...list, items: await summaries(ctx, stack, list.items) }
  })
  route(services.create, (ctx, { params, body }) =>
    createService(ctx, params.teamId, params.stackId, params.serviceName, body),
  )
  route(services.update, async (ctx, { params, body }) => {
    const stack = await getStack(ctx, params.teamId, params.stackId)
    const { id } = await getServiceByName(ctx, stack, params.serviceName)
    return upgradeService(ctx, params.teamId, stack.envId, id, body)
  })
  route(services.get, async (ctx, { params: { teamId, envId, id } }) =>
    readService(ctx, (await getService(ctx, teamId, envId, id)).stack, id),
  )
  route(services.brief, async (ctx, { params: { teamId, envId, id } }) => {
    const { service, stack } = await getService(ctx, teamId, envId, id)
    const [summary] = await summaries(ctx, stack, [service])
    if (!summary) throw new Fault('missing', 'resource-missing')
    return summary
  })
  route(services.act, (ctx, { params: { teamId, envId, id }, query, body }) => {
    switch (query.action) {
      case 'upgrade':
        if (!body) throw new Fault('invalid', 'stacks-specification-needed')
        return upgradeService(ctx, teamId, envId, id, body)
      case 'confirm':
        return confirmUpgrade(ctx, teamId, envId, id)
      case 'cancel':
        return cancelUpgrade(ctx, teamId, envId, id)
      case 'rollBack':
        return rollBack(ctx, teamId, envId, id)
      case 'scale':
        return scaleService(ctx, teamId, envId, id, query.replicas)
    }
  })
  route(services.restart, async (ctx, { params: { teamId, envId, stackName }, body }) => {
    const stack = await findStackByName(ctx.db, teamId, envId, stackName)
    if (!stack) throw new Fault('missing', 'resource-missing')
    return restartServices(ctx, teamId, envId, stack, body)
  })
  route(services.remove, (ctx, { params: { teamId, envId, idAndType } }) =>
    removeService(ctx, teamId, envId, Number.parseInt(idAndType, 10)),
  )
  route(services.containers, async (ctx, { params: { teamId, envId, id }, query }) => {
    const { stack } = await getService(ctx, teamId, envId, id)
    return paged(await containersOf(ctx, stack, id), page(query))
  })
  route(services.events, async (ctx, { params: { teamId, envId, serviceId }, query }) => {
    const { service, stack } = await getService(ctx, teamId, envId, serviceId)
    return paged(await eventsOf(ctx, stack, service.name), page(query))
  })
}
