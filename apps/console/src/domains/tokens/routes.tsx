import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'team-tokens',
    path: '/administration-team/$team_id/api-token',
    needs: 'team_token_view',
    page: () => import('./token-list-page.tsx').then((m) => m.TokenListPage),
  },
]
