import { globalIngress } from '@gantry/contract/stacks/global-ingress'
import { ways } from '@gantry/contract/stacks/ways'
import { containing, page, paged } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { readService } from '../services/live.service.ts'
import { applyChanges, getService } from '../services/services.service.ts'
import {
  readEveryRule,
  readGlobalRules,
  readPorts,
  readRulesOf,
  readTaken,
  readUrls,
  readWhole,
} from './global.service.ts'
import { mustReach } from './reach.service.ts'
import { checkWays, lbOf, readClaimed, readLb, readRoutes, withRules } from './ways.service.ts'

export const module = defineModule({
  routes(route) {
    route(ways.lb, async (ctx, { params: { teamId, envId, id } }) =>
      readLb(ctx, (await getService(ctx, teamId, envId, id)).service),
    )
    route(ways.setLb, async (ctx, { params: { teamId, envId, id }, query, body }) => {
      const { service, stack } = await getService(ctx, teamId, envId, id)
      lbOf(service)
      const spec = withRules(body)
      await mustReach(ctx, stack, { ...spec(service.spec), placed: { ...stack, id } })
      await applyChanges(ctx, stack, [{ type: 'upgrade', id, spec, ...query }])
      return readService(ctx, stack, id, 0)
    })
    route(ways.check, async (ctx, { params: { teamId, envId, id } }) => {
      const { service, stack } = await getService(ctx, teamId, envId, id)
      return checkWays(ctx, stack, service)
    })
    route(ways.detail, async (ctx, { params: { teamId, envId, id }, query }) => {
      const { service, stack } = await getService(ctx, teamId, envId, id)
      const routes = (await readRoutes(ctx, stack, service)).filter(
        ({ group }) => query.group_name === undefined || group === query.group_name,
      )
      const texts = (one: (typeof routes)[number]) => [one.name, one.host, one.path, one.service, String(one.port)]
      return paged(containing(routes, query.keyword, texts), page(query))
    })
    route(ways.claimed, (ctx, { params: { t: teamId, e: envId }, query }) => readClaimed(ctx, { teamId, envId }, query))
    route(globalIngress.rules, (ctx, { query }) => readGlobalRules(ctx, query))
    route(globalIngress.detail, (ctx, { query }) => readRulesOf(ctx, query))
    route(globalIngress.every, (ctx, { query }) => readEveryRule(ctx, query))
    route(globalIngress.ports, (ctx, { query }) => readPorts(ctx, query))
    route(globalIngress.urls, (ctx, { params: { t: teamId, e: envId }, query }) =>
      readUrls(ctx, { teamId, envId }, query),
    )
    route(globalIngress.taken, (ctx, { params: { t: teamId, e: envId }, query }) =>
      readTaken(ctx, { teamId, envId }, query),
    )
    route(globalIngress.whole, (ctx, { params, query }) => readWhole(ctx, params.env, query))
  },
})
