import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'monitorRule',
    path: '/teams/$team_id/rule',
    needs: 'monitor_alarm_view',
    page: () => import('./alarms-page.tsx').then((m) => m.AlarmsPage),
  },
  {
    name: 'rule-create',
    path: '/teams/$team_id/rule/create',
    under: 'monitorRule',
    needs: ['monitor_alarm_view', 'monitor_alarm_edit'],
    page: () => import('./rule-page.tsx').then((m) => m.RulePage),
  },
  {
    name: 'rule-edit',
    path: '/teams/$team_id/rule/edit',
    under: 'monitorRule',
    needs: 'monitor_alarm_view',
    page: () => import('./rule-page.tsx').then((m) => m.RulePage),
  },
]
