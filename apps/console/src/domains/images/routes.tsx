import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'thirdparty-registry',
    path: '/teams/$team_id/registries/thirdpart',
    needs: 'image_registry_view',
    page: () => import('./registry-list-page.tsx').then((m) => m.RegistryListPage),
  },
]
