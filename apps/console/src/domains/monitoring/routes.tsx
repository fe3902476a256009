import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'container-monitor',
    path: '/teams/$team_id/appcenter/env/$env_id/stack/$stack_id/$stack_uuid/$stack_name/services/$service_id/$service_name/$service_type/containers/$container_name/monitor/from/$from',
    under: 'app-list',
    needs: 'monitor_metrics_view',
    page: () => import('./container-metrics.tsx').then((m) => m.ContainerMonitorPage),
  },
]
