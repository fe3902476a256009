import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'sys-common',
    path: '/sysconfig/common',
    shortcut: '/sysconfig',
    access: 'admin',
    page: () => import('./common-page.tsx').then((m) => m.CommonPage),
  },
]
