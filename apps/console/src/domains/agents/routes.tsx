import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'sys-agents',
    path: '/sysconfig/continuous-delivery/agents',
    access: 'admin',
    page: () => import('./agent-list-page.tsx').then((m) => m.AgentListPage),
  },
]
