import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'sys-jira',
    path: '/sysconfig/continuous-delivery/jira',
    access: 'admin',
    page: () => import('./jira-list-page.tsx').then((m) => m.JiraListPage),
  },
]
