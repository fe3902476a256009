import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'build-internal',
    path: '/sysconfig/build/internal',
    access: 'admin',
    page: () => import('./build-image-page.tsx').then((m) => m.InternalImagePage),
  },
  {
    name: 'buildImage',
    path: '/sysconfig/build/customer',
    access: 'admin',
    page: () => import('./build-image-page.tsx').then((m) => m.CustomerImagePage),
  },
]
