import type { AppRoute } from '../../ui/route.ts'

const resources = '/teams/$team_id/resourcemanager'

export const routes: readonly AppRoute[] = [
  {
    name: 'open-stack',
    path: `${resources}/open-stack`,
    needs: ['resource_cluster_view', 'resource_openstack_view'],
    page: () => import('./openstack-list-page.tsx').then((m) => m.OpenStackListPage),
  },
  {
    name: 'open-stack-add',
    path: `${resources}/open-stack/$env_uuid/add`,
    under: 'open-stack',
    needs: 'resource_openstack_create',
    page: () => import('./add-openstack-page.tsx').then((m) => m.AddOpenStackPage),
  },
  {
    name: 'resourcemanager-zone',
    path: `${resources}/zone`,
    needs: 'resource_cluster_view',
    page: () => import('./zone-list-page.tsx').then((m) => m.ZoneListPage),
  },
  {
    name: 'resourcemanager-zone-add',
    path: `${resources}/zone/add`,
    under: 'resourcemanager-zone',
    needs: ['resource_cluster_view', 'resource_zone_create'],
    page: () => import('./add-zone-page.tsx').then((m) => m.AddZonePage),
  },
  {
    name: 'resourcemanager-zone-detail',
    path: `${resources}/zone/detail/$zone_uuid/env/$env_uuid`,
    under: 'resourcemanager-zone',
    page: () => import('./zone-page.tsx').then((m) => m.ZonePage),
  },
]
