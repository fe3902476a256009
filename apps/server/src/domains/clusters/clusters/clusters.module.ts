import { clusters } from '@gantry/contract/clusters/clusters'
import { ingressGroups } from '@gantry/contract/clusters/ingress-groups'
import { uuid } from '@gantry/contract/ids'
import { defineModule } from '../../../module.ts'
import { rechecked } from '../health/check.service.ts'
import { clustersThatWait } from './clusters.decisions.ts'
import { search } from './clusters.search.ts'
import {
  allClusters,
  changeCluster,
  checkCredentials,
  createCluster,
  emptyCluster,
  readCluster,
  removeCluster,
  setAssigned,
  teamClusters,
} from './clusters.service.ts'
import { teamsUsing } from './clusters.store.ts'
import { acceptAnswerer } from './identity.service.ts'
import { createIngressGroup, listIngressGroups, removeIngressGroup } from './ingress-groups.service.ts'
import { start } from './sandbox.start.ts'

export const module = defineModule({
  routes(route) {
    route(clusters.list, (ctx, { query }) => allClusters(ctx, query))
    route(clusters.ofTeam, (ctx, { params }) => teamClusters(ctx, params.teamId))
    route(clusters.create, (ctx, { body }) => createCluster(ctx, body))
    route(clusters.check, (ctx, { body }) => checkCredentials(ctx, body))
    route(clusters.recheck, (ctx, { params }) => rechecked(ctx, params.uuid))
    route(clusters.get, (ctx, { params }) => readCluster(ctx, params.uuid))
    route(clusters.update, (ctx, { params, body }) => changeCluster(ctx, params.uuid, body))
    route(clusters.remove, (ctx, { params, query }) =>
      (query.action === 'complete' ? emptyCluster : removeCluster)(ctx, params.uuid, query.confirm),
    )
    route(clusters.accept, (ctx, { params, body }) => acceptAnswerer(ctx, params.uuid, body.cluster))
    route(clusters.assign, (ctx, { params, query }) =>
      setAssigned(ctx, params.env, query.tenant, query.assigned === 'true'),
    )
    route(ingressGroups.list, (ctx, { params }) => listIngressGroups(ctx, params.env))
    route(ingressGroups.create, (ctx, { params, body }) => createIngressGroup(ctx, params.env, body))
    route(ingressGroups.remove, (ctx, { params }) => removeIngressGroup(ctx, params.env, params.name))
  },
  owners: [
    {
      kind: 'environment',
      // the name of a topic is not validated before this lookup
      teamsOf: async (db, id) => (uuid.safeParse(id).success ? teamsUsing(db, id) : undefined),
    },
  ],
  search: [search],
  decisions: [clustersThatWait],
  onStart: start,
})
