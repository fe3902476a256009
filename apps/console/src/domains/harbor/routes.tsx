import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'registry-namespace',
    path: '/teams/$team_id/registries/namespace',
    needs: 'image_harbor_view',
    page: () => import('./namespace-list-page.tsx').then((m) => m.NamespaceListPage),
  },
  {
    name: 'registry-repositories',
    path: '/teams/$team_id/registries/namespace/$namespace_id/harbor/$harbor_id/projects/$project_id/from/$from_type',
    under: 'registry-namespace',
    needs: 'image_harbor_view',
    page: () => import('./repositories-page.tsx').then((m) => m.TeamRepositoriesPage),
  },
  {
    name: 'registry-tags',
    path: '/teams/$team_id/registries/namespace/$namespace_id/harbor/$harbor_id/projects/$project_id/tags/from/$from_type',
    under: 'registry-namespace',
    needs: 'image_harbor_view',
    page: () => import('./tags-page.tsx').then((m) => m.TeamTagsPage),
  },
  {
    name: 'sys-harbor',
    path: '/sysconfig/registry/harbor/$harbor_id',
    access: 'admin',
    under: 'sys-registry',
    page: () => import('./harbor-page.tsx').then((m) => m.HarborPage),
  },
  {
    name: 'sys-harbor-project',
    path: '/sysconfig/registry/harbor/$harbor_id/projects/$project_id',
    access: 'admin',
    under: 'sys-registry',
    page: () => import('./repositories-page.tsx').then((m) => m.SystemRepositoriesPage),
  },
  {
    name: 'sys-harbor-tags',
    path: '/sysconfig/registry/harbor/$harbor_id/projects/$project_id/repositories/$repository_id/tags',
    access: 'admin',
    under: 'sys-registry',
    page: () => import('./tags-page.tsx').then((m) => m.SystemTagsPage),
  },
]
