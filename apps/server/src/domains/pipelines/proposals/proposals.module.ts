import { proposals } from '@gantry/contract/pipelines/editing/proposals'
import { defineModule } from '../../../module.ts'
import { createInTeam } from './create.service.ts'
import { lookAtRepository } from './look.service.ts'

export const module = defineModule({
  routes(route) {
    route(proposals.look, (ctx, { params, body }) => lookAtRepository(ctx, params.teamId, body.repository))
    route(proposals.create, (ctx, { params, body }) => createInTeam(ctx, params.teamId, body))
  },
})
