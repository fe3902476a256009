import { releases } from '@gantry/contract/blueprints/releases'
import { defineModule } from '../../../module.ts'
import { releasesThatWait } from './releases.decisions.ts'
import { checkDeployment, checkUpgrade, decide, deployBlueprint, findLatest, upgradeStack } from './releases.service.ts'

export const module = defineModule({
  routes(route) {
    route(releases.deploy, (ctx, { params, query, body }) =>
      deployBlueprint(ctx, params.teamId, body, query.istio === 'true'),
    )
    route(releases.deployCheck, (ctx, { params, query, body }) =>
      checkDeployment(ctx, params.teamId, body, query.istio === 'true'),
    )
    route(releases.check, (ctx, { params, body }) => checkUpgrade(ctx, params, body))
    route(releases.upgrade, (ctx, { params, body }) => upgradeStack(ctx, params, body))
    for (const decision of ['confirm', 'cancel', 'rollBack'] as const)
      route(releases[decision], (ctx, { params }) => decide(ctx, params, decision))
    route(releases.latest, (ctx, { params }) => findLatest(ctx, params))
  },
  decisions: [releasesThatWait],
})
