import { environments } from '@gantry/contract/clusters/environments'
import { defineModule } from '../../../module.ts'
import { makeManifest } from './cluster-agents.service.ts'
import { sockets } from './cluster-agents.sockets.ts'
import { start } from './replicas.start.ts'

export const module = defineModule({
  routes(route) {
    route(environments.manifest, (ctx, { params }) => makeManifest(ctx, params.env))
  },
  sockets,
  onStart: start,
})
