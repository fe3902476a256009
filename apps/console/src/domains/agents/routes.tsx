import type { AppRoute } from '../../ui/route.ts'

const agents = '/sysconfig/continuous-delivery/agents'

export const routes: readonly AppRoute[] = [
  {
    name: 'sys-agents',
    path: agents,
    access: 'admin',
    page: () => import('./agent-list-page.tsx').then((m) => m.AgentListPage),
  },
  {
    name: 'sys-agent-add',
    path: `${agents}/add`,
    access: 'admin',
    under: 'sys-agents',
    page: () => import('./add-agent-page.tsx').then((m) => m.AddAgentPage),
  },
  {
    name: 'sys-agent',
    path: `${agents}/$agent_id/$tab`,
    access: 'admin',
    under: 'sys-agents',
    page: () => import('./agent-page.tsx').then((m) => m.AgentPage),
  },
  {
    name: 'sys-cd-hosts',
    path: '/sysconfig/continuous-delivery/hosts',
    access: 'admin',
    page: () => import('./host-list-page.tsx').then((m) => m.HostListPage),
  },
]
