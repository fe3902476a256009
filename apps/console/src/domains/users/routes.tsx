import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  { name: 'info-basic', path: '/info/basic', page: () => import('./profile-page.tsx').then((m) => m.ProfilePage) },
  {
    name: 'info-password',
    path: '/info/update-password',
    page: () => import('./password-page.tsx').then((m) => m.PasswordPage),
  },
  {
    name: 'sys-users',
    path: '/sysconfig/users',
    access: 'admin',
    page: () => import('./user-list-page.tsx').then((m) => m.UserListPage),
  },
]
