import { environments } from '@gantry/contract/clusters/environments'
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
    route(environments.list, (ctx, { query }) => allClusters(ctx, query))
    route(environments.ofTeam, (ctx, { params }) => teamClusters(ctx, params.teamId))
    route(environments.create, (ctx, { body }) => createCluster(ctx, body))
    route(environments.check, (ctx, { body }) => checkCredentials(ctx, body))
    route(environments.recheck, (ctx, { params }) => rechecked(ctx, params.uuid))
    route(environments.get, (ctx, { params }) => readCluster(ctx, params.uuid))
    route(environments.update, (ctx, { params, body }) => changeCluster(ctx, params.uuid, body))
    route(environments.remove, (ctx, { params, query }) =>
      (query.action === 'complete' ? emptyCluster : removeCluster)(ctx, params.uuid, query.confirm),
    )
    route(environments.accept, (ctx, { params, body }) => acceptAnswerer(ctx, params.uuid, body.cluster))
    route(environments.assign, (ctx, { params, query }) =>
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
