import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'sys-webhook',
    path: '/sysconfig/continuous-delivery/WebHook/WebHookMain',
    access: 'admin',
    page: () => import('./webhook-list-page.tsx').then((m) => m.WebhookListPage),
  },
  {
    name: 'sys-webhook-form',
    path: '/sysconfig/continuous-delivery/WebHook/WebHookForm',
    access: 'admin',
    under: 'sys-webhook',
    page: () => import('./webhook-page.tsx').then((m) => m.WebhookPage),
  },
]
