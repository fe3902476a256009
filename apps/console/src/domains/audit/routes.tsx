import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'audit-logs',
    path: '/teams/$team_id/audit-logs',
    page: () => import('./audit-list-page.tsx').then((m) => m.AuditListPage),
  },
]
