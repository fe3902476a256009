import { clusters } from '@gantry/contract/clusters/clusters'
import { hosts } from '@gantry/contract/clusters/hosts'
import { hostEventsTopic, hostsTopic } from '@gantry/contract/clusters/topics'
import { serve } from '../../../http/push/sources.ts'
import { defineModule } from '../../../module.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { watchHostEvents } from '../pods/events.watch.ts'
import { clusterNamed, type Publish, publishChanges, type Stop } from '../live/watch.ts'
import {
  cordon,
  dedicate,
  removeAnnotation,
  removeHost,
  removeLabel,
  setAnnotation,
  setIngress,
  setLabel,
  setTaints,
} from './host-changes.service.ts'
import { hostLogs } from './host-logs.service.ts'
import { setMaintenance } from './host-maintenance.service.ts'
import { hostEvents, listHosts, readHost } from './hosts.service.ts'
import { scriptFor } from './join-script.service.ts'
import { undedicationReconciler } from './undedicate-hosts.service.ts'

/** Publishes which hosts of a cluster changed. */
async function watchHosts(ctx: Ctx, env: string, publish: Publish<typeof hostsTopic>): Promise<Stop> {
  return publishChanges(await clusterNamed(ctx, env), 'nodes', publish, ({ row }) => () => ({ host: row.name }))
}

export const module = defineModule({
  routes(route) {
    route(hosts.list, (ctx, { query }) => listHosts(ctx, query))
    route(hosts.get, (ctx, { params }) => readHost(ctx, params.env, params.host))
    route(hosts.events, (ctx, { params, query }) => hostEvents(ctx, params.env, params.host, query))
    route(hosts.setLabel, (ctx, { params, body }) => setLabel(ctx, params.env, body))
    route(hosts.removeLabel, (ctx, { params, query }) => removeLabel(ctx, params.env, query))
    route(hosts.setAnnotation, (ctx, { params, body }) => setAnnotation(ctx, params.env, body))
    route(hosts.removeAnnotation, (ctx, { params, query }) => removeAnnotation(ctx, params.env, query))
    route(hosts.setTaints, (ctx, { params, body }) => setTaints(ctx, params.env, params.host, body.taints))
    route(hosts.cordon, (ctx, { params, body }) => cordon(ctx, params.env, params.host, body.enable))
    route(hosts.maintenance, (ctx, { params, body }) => setMaintenance(ctx, params.env, params.host, body.enable))
    route(hosts.dedicated, (ctx, { params, body }) => dedicate(ctx, params.env, params.host, body.teamId))
    route(hosts.ingress, (ctx, { params, body }) => setIngress(ctx, params.env, params.host, body.enable))
    route(hosts.remove, (ctx, { params }) => removeHost(ctx, params.env, params.host))
    route(hosts.logs, (ctx, { params, query }) => hostLogs(ctx, params.env, params.host, query))
    route(clusters.script, (ctx, { body }) => scriptFor(ctx, body))
  },
  reconcilers: [undedicationReconciler],
  /** published from the cache, like pods */
  topics: [
    serve(hostsTopic, (ctx, { env }, publish) => watchHosts(ctx, env, publish)),
    serve(hostEventsTopic, (ctx, { env }, publish) => watchHostEvents(ctx, env, publish)),
  ],
})
