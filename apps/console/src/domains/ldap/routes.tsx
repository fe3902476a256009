import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'sys-ldap',
    path: '/sysconfig/ldap',
    access: 'admin',
    page: () => import('./server-list-page.tsx').then((m) => m.ServerListPage),
  },
  {
    name: 'sys-ldap-edit',
    path: '/sysconfig/ldap/edit',
    access: 'admin',
    under: 'sys-ldap',
    page: () => import('./server-page.tsx').then((m) => m.ServerPage),
  },
]
