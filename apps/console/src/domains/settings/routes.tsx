import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'sysconfig',
    path: '/sysconfig',
    access: 'admin',
    under: 'sys-common',
    page: () => import('./default-page.tsx').then((m) => m.DefaultPage),
  },
  {
    name: 'sys-common',
    path: '/sysconfig/common',
    access: 'admin',
    page: () => import('./common-page.tsx').then((m) => m.CommonPage),
  },
]
