import type { AppRoute } from '../../ui/route.ts'
import { readClusterAhead, readClustersAhead, readHostAhead } from './clusters/reads.ts'

const list = '/teams/$team_id/resourcemanager/cluster'
const under = 'resourcemanager-environments-new'

export const routes: readonly AppRoute[] = [
  {
    name: under,
    path: list,
    shortcut: '/teams/$team_id/resourcemanager',
    page: () => import('./clusters/cluster-list-page.tsx').then((m) => m.ClusterListPage),
    needs: 'resource_cluster_view',
    orNeeds: 'system_cluster_view',
    ahead: (_, search, reader) => readClustersAhead(search, reader),
  },
  {
    name: 'cluster-add',
    path: `${list}/add-environments-new`,
    under,
    access: 'admin',
    page: () => import('./clusters/add-cluster-page.tsx').then((m) => m.AddClusterPage),
  },
  {
    name: 'cluster-detail',
    path: `${list}/environments-detail/$env_uuid`,
    under,
    page: () => import('./clusters/cluster-page.tsx').then((m) => m.ClusterPage),
    needs: 'resource_cluster_view',
    orNeeds: 'system_cluster_view',
    ahead: ({ env_uuid = '' }, search, reader) => readClusterAhead(env_uuid, search, reader),
  },
  {
    name: 'cluster-host',
    path: `${list}/environments-detail/$env_uuid/host/$host_name/$host_ip/$host_uuid`,
    under,
    page: () => import('./hosts/host-page.tsx').then((m) => m.HostPage),
    needs: 'resource_host_view',
    orNeeds: 'system_cluster_view',
    ahead: ({ env_uuid = '', host_name = '' }, search, reader) => readHostAhead(env_uuid, host_name, search, reader),
  },
  {
    name: 'resourcemanager-cn',
    path: '/teams/$team_id/resourcemanager/cn',
    needs: 'resource_host_view',
    orNeeds: 'system_cluster_view',
    page: () => import('./hosts/host-list-page.tsx').then((m) => m.HostListPage),
  },
]
