import { services } from '@gantry/contract/stacks/services'
import { serviceEventsTopic, serviceTopic } from '@gantry/contract/stacks/topics'
import { serve } from '../../../http/push/sources.ts'
import { Fault, mustConfirm } from '../../../kernel/fault.ts'
import { containing, page, paged } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { typeOf } from '@gantry/contract/stacks/spec'
import { mustReach } from '../outward/reach.service.ts'
import { getStack, getStackByName } from '../stacks/stacks.service.ts'
import { eventsOf, watchServiceEvents } from '../events/events.service.ts'
import { changed, stackOf } from './answer.service.ts'
import { claimsOfService } from './claims.service.ts'
import { containersOf, shownService, summaries } from './live.service.ts'
import { watchService } from './live.watch.ts'
import { beforeStop } from '../revisions/revisions.store.ts'
import { upgradesThatWait } from './services.decisions.ts'
import { search } from './services.search.ts'
import type { Change } from './change.ts'
import { applyChanges, getService, getServiceByName } from './services.service.ts'
import { listServices, serviceTeam } from './services.store.ts'

/** The name of a topic may contain anything in place of the id. */
const isId = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text)

export const module = defineModule({
  routes(route) {
    route(services.list, async (ctx, { params, query }) => {
      const stack = await getStack(ctx, params.teamId, params.uuid, params.envId)
      const list = await listServices(
        ctx.db,
        stack.id,
        { keyword: query.search ?? query.keyword ?? '', state: query.state ?? '', osType: query.osType },
        page(query),
      )
      return { ...list, items: await summaries(ctx, [stack], list.items) }
    })
    route(services.create, async (ctx, { params, body }) => {
      const stack = await getStack(ctx, params.teamId, params.stackId)
      await mustReach(ctx, stack, body)
      return changed(ctx, stack, {
        type: 'create',
        name: params.serviceName,
        serviceType: typeOf(body),
        spec: body,
      })
    })
    route(services.update, async (ctx, { params, query, body }) => {
      const stack = await getStack(ctx, params.teamId, params.stackId)
      const { id } = await getServiceByName(ctx, stack, params.serviceName)
      await mustReach(ctx, stack, { ...body, placed: { ...stack, id } })
      return changed(ctx, stack, { type: 'upgrade', id, spec: body, ...query })
    })
    route(services.get, async (ctx, { params: { teamId, envId, id }, query }) => {
      const { service, stack } = await getService(ctx, teamId, envId, id)
      const details = await shownService(ctx, stack, service)
      const { copy } = details
      return query.type === 'bgConf' ? { ...details, bgConf: copy?.type === 'bluegreen' ? copy : null } : details
    })
    route(services.brief, async (ctx, { params: { teamId, envId, id } }) => {
      const { service, stack } = await getService(ctx, teamId, envId, id)
      const [summary] = await summaries(ctx, [stack], [service])
      if (!summary) throw new Fault('missing', 'resource-missing')
      return summary
    })
    for (const type of ['upgrade', 'edit'] as const)
      route(services[type], async (ctx, { params, query, body }) => {
        const stack = await stackOf(ctx, params)
        await mustReach(ctx, stack, { ...body, placed: { ...stack, id: params.id } })
        return changed(ctx, stack, { type, id: params.id, spec: body, ...query })
      })
    for (const type of ['confirm', 'cancel', 'rollBack'] as const)
      route(services[type], async (ctx, { params }) =>
        changed(ctx, await stackOf(ctx, params), { type, id: params.id }),
      )
    route(services.scale, async (ctx, { params, query }) =>
      changed(ctx, await stackOf(ctx, params), { type: 'scale', id: params.id, ...query }),
    )
    route(services.resume, async (ctx, { params, query }) =>
      changed(ctx, await stackOf(ctx, params), { type: 'resume', id: params.id, ...query }),
    )
    route(services.start, async (ctx, { params }) => {
      const { service, stack } = await getService(ctx, params.teamId, params.envId, params.id)
      if (service.state !== 'stopped')
        throw new Fault('conflict', 'stacks-not-stopped', { name: service.name, count: service.spec.replicas })
      const { replicas, autoscaled } = await beforeStop(ctx.db, service.id)
      const how = autoscaled ? { type: 'resume' as const } : { type: 'scale' as const, replicas }
      return changed(ctx, stack, { ...how, id: service.id, revision: service.revision })
    })
    route(services.restart, async (ctx, { params: { teamId, envId, stackName }, body }) => {
      const stack = await getStackByName(ctx, teamId, envId, stackName)
      const restarts: Change[] = []
      for (const name of new Set(body))
        restarts.push({ type: 'restart', id: (await getServiceByName(ctx, stack, name)).id })
      await applyChanges(ctx, stack, restarts)
      return null
    })
    route(services.remove, async (ctx, { params: { teamId, envId, idAndType }, query }) => {
      const { service, stack } = await getService(ctx, teamId, envId, Number.parseInt(idAndType, 10))
      if (!idAndType.endsWith(`_${service.type}`)) throw new Fault('missing', 'resource-missing')
      mustConfirm(query.confirm, service.name)
      const forget = query.deleteFore === 'true'
      const dropClaims = query.claims === 'delete'
      await applyChanges(ctx, stack, [{ type: 'remove', id: service.id, forget, dropClaims }])
      return null
    })
    route(services.claims, async (ctx, { params: { teamId, envId, id }, query }) => {
      const { service, stack } = await getService(ctx, teamId, envId, id)
      return paged(
        containing(await claimsOfService(ctx, stack, service), query.keyword, ({ name }) => [name]),
        page(query),
      )
    })
    route(services.containers, async (ctx, { params: { teamId, envId, id }, query }) => {
      const { stack } = await getService(ctx, teamId, envId, id)
      const containers = await containersOf(ctx, stack, id)
      const texts = (one: (typeof containers)[number]) => [one.podName, one.name, one.image, one.node]
      return paged(containing(containers, query.keyword, texts), page(query))
    })
    route(services.events, async (ctx, { params: { teamId, envId, serviceId }, query }) => {
      const { service, stack } = await getService(ctx, teamId, envId, serviceId)
      const events = await eventsOf(ctx, stack, service)
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
  decisions: [upgradesThatWait],
})
