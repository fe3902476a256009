import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'sys-cd-common',
    path: '/sysconfig/continuous-delivery/cd/common',
    access: 'admin',
    page: () => import('./code-quality-page.tsx').then((m) => m.CodeQualityPage),
  },
]
