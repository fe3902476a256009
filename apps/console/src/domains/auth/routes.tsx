import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'login',
    path: '/login',
    access: 'public',
    page: () => import('./login-page.tsx').then((m) => m.LoginPage),
  },
  {
    name: 'join',
    path: '/login/join',
    access: 'public',
    page: () => import('./join-page.tsx').then((m) => m.JoinPage),
  },
  {
    name: 'register',
    path: '/register',
    access: 'public',
    page: () => import('./register-page.tsx').then((m) => m.loadRegisterPage()),
  },
]
