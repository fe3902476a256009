import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'helm-list',
    path: '/teams/$team_id/helm/list',
    needs: 'helm_release_view',
    page: () => import('./releases/release-list-page.tsx').then((m) => m.ReleaseListPage),
  },
  {
    name: 'helm-deploy',
    path: '/teams/$team_id/helm/deploy',
    under: 'helm-list',
    needs: ['helm_chart_view', 'helm_release_operate'],
    page: () => import('./deploy/deploy-page.tsx').then((m) => m.DeployPage),
  },
  {
    name: 'sys-helm',
    path: '/sysconfig/helm/repo',
    access: 'admin',
    page: () => import('./repository-list-page.tsx').then((m) => m.RepositoryListPage),
  },
]
