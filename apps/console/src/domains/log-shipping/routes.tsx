import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'sys-log',
    path: '/sysconfig/log',
    access: 'admin',
    page: () => import('./log-page.tsx').then((m) => m.LogPage),
  },
]
