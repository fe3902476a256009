import { quotas } from '@gantry/contract/quotas/quotas'
import type { Routes } from '../../http/route.ts'
import { quotaOn, setQuota } from './quotas.service.ts'
import { teamQuotas } from './quotas.store.ts'

export const routes: Routes = (route) => {
  route(quotas.ofTeam, (ctx, { params }) => teamQuotas(ctx.db, params.teamId))
  route(quotas.onEnvironment, (ctx, { params }) => quotaOn(ctx, params.teamId, params.envId))
  route(quotas.set, (ctx, { params, body }) => setQuota(ctx, params.tenant, body.envUuid, body.hard))
}
