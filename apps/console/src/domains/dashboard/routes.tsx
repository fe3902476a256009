import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  { name: 'home', path: '/', under: 'new-dashboard', page: () => import('./home-page.tsx').then((m) => m.HomePage) },
  {
    name: 'new-dashboard',
    path: '/teams/$team_id/dashboard',
    page: () => import('./dashboard-page.tsx').then((m) => m.DashboardPage),
  },
]
