import { clusters } from '@gantry/contract/clusters/clusters'
import { defineModule } from '../../../module.ts'
import { makeManifest } from './cluster-agents.service.ts'
import { sockets } from './cluster-agents.sockets.ts'
import { start } from './replicas.start.ts'

export const module = defineModule({
  routes(route) {
    route(clusters.manifest, (ctx, { params }) => makeManifest(ctx, params.env))
  },
  sockets,
  onStart: start,
})
