import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'thirdparty-registry',
    path: '/teams/$team_id/registries/thirdpart',
    page: () => import('./registry-list-page.tsx').then((m) => m.RegistryListPage),
  },
]
