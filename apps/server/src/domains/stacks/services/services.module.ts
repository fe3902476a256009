import { type ServiceDetail, services } from '@gantry/contract/stacks/services'
import { serviceEventsTopic, serviceTopic } from '@gantry/contract/stacks/topics'
import { serve } from '../../../http/push/sources.ts'
import { Fault, mustConfirm } from '../../../kernel/fault.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { containing, page, paged } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { getStack } from '../stacks/stacks.service.ts'
import { findStackByName, type StackRow } from '../stacks/stacks.store.ts'
import { eventsOf, watchServiceEvents } from './events.service.ts'
import { containersOf, readService, summaries } from './live.service.ts'
import { watchService } from './live.watch.ts'
import { search } from './services.search.ts'
import { applyChanges, type Change, getService, getServiceByName } from './services.service.ts'
import { listServices, serviceTeam, specOf } from './services.store.ts'

/** A topic's name may contain anything in the place of the id. */
const isId = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text)

/** The stack of a service of the team in that environment, or 404. */
const stackOf = async (ctx: Ctx, { teamId, envId, id }: { teamId: number; envId: string; id: number }) =>
  (await getService(ctx, teamId, envId, id)).stack

/** Makes a change and returns the service as it is then, without waiting for the cluster. */
async function changed(ctx: Ctx, stack: StackRow, change: Change): Promise<ServiceDetail> {
  const [id = 0] = await applyChanges(ctx, stack, [change])
  return readService(ctx, stack, id, 0)
}

export const module = defineModule({
  routes(route) {
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
    route(services.create, async (ctx, { params, body }) => {
      const stack = await getStack(ctx, params.teamId, params.stackId)
      return changed(ctx, stack, {
        type: 'create',
        name: params.serviceName,
        serviceType: 'business',
        spec: body,
      })
    })
    route(services.update, async (ctx, { params, query, body }) => {
      const stack = await getStack(ctx, params.teamId, params.stackId)
      const { id } = await getServiceByName(ctx, stack, params.serviceName)
      return changed(ctx, stack, { type: 'upgrade', id, spec: body, ...query })
    })
    route(services.get, async (ctx, { params: { teamId, envId, id } }) =>
      readService(ctx, (await getService(ctx, teamId, envId, id)).stack, id),
    )
    route(services.revision, async (ctx, { params: { teamId, envId, id, revision } }) => {
      const { service } = await getService(ctx, teamId, envId, id)
      const spec = await specOf(ctx.db, service, revision)
      if (!spec) throw new Fault('missing', 'resource-missing')
      return spec
    })
    route(services.brief, async (ctx, { params: { teamId, envId, id } }) => {
      const { service, stack } = await getService(ctx, teamId, envId, id)
      const [summary] = await summaries(ctx, stack, [service])
      if (!summary) throw new Fault('missing', 'resource-missing')
      return summary
    })
    route(services.upgrade, async (ctx, { params, query, body }) =>
      changed(ctx, await stackOf(ctx, params), { type: 'upgrade', id: params.id, spec: body, ...query }),
    )
    for (const type of ['confirm', 'cancel', 'rollBack'] as const)
      route(services[type], async (ctx, { params }) =>
        changed(ctx, await stackOf(ctx, params), { type, id: params.id }),
      )
    route(services.scale, async (ctx, { params, query }) =>
      changed(ctx, await stackOf(ctx, params), { type: 'scale', id: params.id, ...query }),
    )
    route(services.restart, async (ctx, { params: { teamId, envId, stackName }, body }) => {
      const stack = await findStackByName(ctx.db, teamId, envId, stackName)
      if (!stack) throw new Fault('missing', 'resource-missing')
      const restarts: Change[] = []
      for (const name of new Set(body))
        restarts.push({ type: 'restart', id: (await getServiceByName(ctx, stack, name)).id })
      await applyChanges(ctx, stack, restarts)
      return null
    })
    route(services.remove, async (ctx, { params: { teamId, envId, idAndType }, query }) => {
      const { service, stack } = await getService(ctx, teamId, envId, Number.parseInt(idAndType, 10))
      mustConfirm(query.confirm, service.name)
      await applyChanges(ctx, stack, [{ type: 'remove', id: service.id }])
      return null
    })
    route(services.containers, async (ctx, { params: { teamId, envId, id }, query }) => {
      const { stack } = await getService(ctx, teamId, envId, id)
      const containers = await containersOf(ctx, stack, id)
      const texts = (one: (typeof containers)[number]) => [one.podName, one.name, one.image, one.node]
      return paged(containing(containers, query.keyword, texts), page(query))
    })
    route(services.events, async (ctx, { params: { teamId, envId, serviceId }, query }) => {
      const { service, stack } = await getService(ctx, teamId, envId, serviceId)
      const events = await eventsOf(ctx, stack, service.name)
      const texts = (one: (typeof events)[number]) => [one.reason, one.message, one.object]
      return paged(containing(events, query.keyword, texts), page(query))
    })
  },
  owners: [
    {
      kind: 'service',
      teamOf: async (db, id) => (isId(id) ? serviceTeam(db, Number(id)) : undefined),
    },
  ],
  topics: [
    serve(serviceTopic, (ctx, { serviceId }, publish) => watchService(ctx, Number(serviceId), publish)),
    serve(serviceEventsTopic, (ctx, { serviceId }, publish) => watchServiceEvents(ctx, Number(serviceId), publish)),
  ],
  search: [search],
})
