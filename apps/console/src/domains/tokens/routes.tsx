import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'team-tokens',
    path: '/administration-team/$team_id/api-token',
    page: () => import('./token-list-page.tsx').then((m) => m.TokenListPage),
  },
]
