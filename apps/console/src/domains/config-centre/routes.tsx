import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'config-manage',
    path: '/teams/$team_id/configcenter/manage',
    needs: 'config_project_view',
    page: () => import('./config-page.tsx').then((m) => m.ConfigPage),
  },
  {
    name: 'config-app',
    path: '/teams/$team_id/configcenter/app',
    needs: ['config_project_view', 'stack_service_view'],
    page: () => import('./reader-list-page.tsx').then((m) => m.ReaderListPage),
  },
]
