import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'sys-oauth',
    path: '/sysconfig/oauth',
    access: 'admin',
    page: () => import('./oauth-page.tsx').then((m) => m.OauthPage),
  },
]
