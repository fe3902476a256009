import { deployments } from '@gantry/contract/stacks/revisions/deployments'
import { defineModule } from '../../../module.ts'
import { deploymentsOf, undecidedOf } from './deployments.read.ts'

export const module = defineModule({
  routes(route) {
    route(deployments.ofBuild, (ctx, { params }) => deploymentsOf(ctx.db, params.teamId, params.buildId))
    route(deployments.undecided, (ctx, { params }) => undecidedOf(ctx.db, params.teamId, params.pipelineId))
  },
})
