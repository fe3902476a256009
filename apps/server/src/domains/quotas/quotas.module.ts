import { quotas } from '@gantry/contract/quotas/quotas'
import { defineModule } from '../../module.ts'
import { networkLabels, storageLabels } from './labels.service.ts'
import { allQuotas, namespacesOfTeam, quotaOn, quotasOf, setQuota } from './quotas.service.ts'

export const module = defineModule({
  routes(route) {
    route(quotas.all, (ctx, { query }) => allQuotas(ctx, query))
    route(quotas.namespaces, (ctx, { params }) => namespacesOfTeam(ctx, params.teamId))
    route(quotas.networkLabels, (ctx, { params }) => networkLabels(ctx, params.envUuid))
    route(quotas.storageLabels, (ctx, { params }) => storageLabels(ctx, params.envUuid))
    route(quotas.ofTeam, (ctx, { params }) => quotasOf(ctx, params.teamId))
    route(quotas.onEnvironment, (ctx, { params }) => quotaOn(ctx, params.teamId, params.envId))
    route(quotas.set, (ctx, { params, body }) => setQuota(ctx, params.tenant, body.envUuid, body.hard))
  },
})
