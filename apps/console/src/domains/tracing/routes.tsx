import type { AppRoute } from '../../ui/route.ts'

const stack = '/teams/$team_id/appcenter/env/$env_name/$env_id/stack/$stack_name/$stack_id'

export const routes: readonly AppRoute[] = [
  {
    name: 'app-jaeger',
    path: `${stack}/jaeger`,
    under: 'app-list',
    needs: ['stack_stack_view', 'stack_service_view'],
    page: () => import('./traces-page.tsx').then((m) => m.TracesPage),
  },
  {
    name: 'app-kiali',
    path: `${stack}/kiali`,
    under: 'app-list',
    needs: ['stack_stack_view', 'stack_service_view'],
    page: () => import('./mesh-page.tsx').then((m) => m.MeshPage),
  },
]
