import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'thirdparty-registry',
    path: '/teams/$team_id/registries/thirdpart',
    needs: 'image_registry_view',
    page: () => import('./registry-list-page.tsx').then((m) => m.RegistryListPage),
  },
  {
    name: 'thirdparty-repos',
    path: '/teams/$team_id/registries/thirdpart/repos',
    needs: 'image_registry_view',
    under: 'thirdparty-registry',
    page: () => import('./contents/repo-page.tsx').then((m) => m.RepoListPage),
  },
  {
    name: 'thirdparty-tags',
    path: '/teams/$team_id/registries/thirdpart/repos/$repo_id/tag-list',
    needs: 'image_registry_view',
    under: 'thirdparty-registry',
    page: () => import('./contents/tag-page.tsx').then((m) => m.TagListPage),
  },
  {
    name: 'sys-registry',
    path: '/sysconfig/registry/index',
    access: 'admin',
    page: () => import('./platform-registry-page.tsx').then((m) => m.PlatformRegistryPage),
  },
  {
    name: 'sys-registry-repo',
    path: '/sysconfig/registry/$registry_id/repo',
    access: 'admin',
    under: 'sys-registry',
    page: () => import('./contents/repo-page.tsx').then((m) => m.PlatformRepoListPage),
  },
  {
    name: 'sys-registry-tag',
    path: '/sysconfig/registry/$registry_id/repo/$repo_id/tag',
    access: 'admin',
    under: 'sys-registry',
    page: () => import('./contents/tag-page.tsx').then((m) => m.PlatformTagListPage),
  },
]
