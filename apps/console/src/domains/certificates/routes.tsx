import type { AppRoute } from '../../ui/route.ts'

export const routes: readonly AppRoute[] = [
  {
    name: 'sys-certificates',
    path: '/sysconfig/certificates',
    access: 'admin',
    page: () => import('./certificate-list-page.tsx').then((m) => m.CertificateListPage),
  },
  {
    name: 'sys-certificate-add',
    path: '/sysconfig/certificates/add',
    access: 'admin',
    under: 'sys-certificates',
    page: () => import('./certificate-page.tsx').then((m) => m.CertificatePage),
  },
  {
    name: 'sys-domains',
    path: '/sysconfig/certificates/$certificate_id/domains',
    access: 'admin',
    under: 'sys-certificates',
    page: () => import('./domain-list-page.tsx').then((m) => m.DomainListPage),
  },
]
