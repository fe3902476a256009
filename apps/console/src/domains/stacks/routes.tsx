import type { AppRoute } from '../../ui/route.ts'

const centre = '/teams/$team_id/appcenter'
const stack = 'stack/$stack_name/$stack_id'
const service =
  'env/$env_id/stack/$stack_id/$stack_uuid/$stack_name/services/$service_id/$service_name/$service_type/containers/from/$from'
const ingress =
  'env/$env_id/stack/$stack_id/$stack_uuid/$stack_name/services/$service_name/containersingress/from/$from'
const under = 'app-list'

const globalIngress = '/teams/$team_id/global-ingress/list'

export const routes: readonly AppRoute[] = [
  {
    name: 'global-ingress-index',
    path: globalIngress,
    needs: 'stack_service_view',
    page: () => import('./global-ingress/global-ingress-pages.tsx').then((m) => m.GlobalIngressPage),
  },
  {
    name: 'global-ingress-port',
    path: `${globalIngress}/port/$port`,
    under: 'global-ingress-index',
    needs: 'stack_service_view',
    page: () => import('./global-ingress/global-ingress-pages.tsx').then((m) => m.PortRulesPage),
  },
  {
    name: 'global-ingress-host',
    path: `${globalIngress}/protocol/$protocol/host/$host`,
    under: 'global-ingress-index',
    needs: 'stack_service_view',
    page: () => import('./global-ingress/global-ingress-pages.tsx').then((m) => m.HostRulesPage),
  },
  {
    name: 'sys-global-ingress',
    path: '/sysconfig/global-ingress',
    access: 'admin',
    page: () => import('./global-ingress/global-ingress-pages.tsx').then((m) => m.EveryRulePage),
  },
  {
    name: 'app-list',
    path: centre,
    needs: 'stack_stack_view',
    page: () => import('./stacks/app-list-page.tsx').then((m) => m.AppListPage),
  },
  {
    name: 'stack',
    path: `${centre}/env/$env_id/${stack}`,
    under,
    needs: 'stack_service_view',
    page: () => import('./canvas/stack-page.tsx').then((m) => m.StackPage),
  },
  {
    name: 'service-add',
    path: `${centre}/env/$env_id/${stack}/service/add/bs`,
    under,
    needs: 'stack_service_create',
    page: () => import('./spec/add-service-page.tsx').then((m) => m.AddServicePage),
  },
  {
    name: 'service-upgrade',
    path: `${centre}/env/$env_id/${stack}/service/$sname/$service_id/edit/bs`,
    under,
    needs: ['stack_service_view', 'stack_service_edit'],
    page: () => import('./spec/upgrade-service-page.tsx').then((m) => m.UpgradeServicePage),
  },
  {
    name: 'service-add-outward',
    path: `${centre}/env/$env_id/${stack}/service/add/$kind`,
    under,
    needs: 'stack_service_create',
    page: () => import('./outward/add-outward-page.tsx').then((m) => m.AddOutwardPage),
  },
  {
    name: 'service-upgrade-outward',
    path: `${centre}/env/$env_id/${stack}/service/$sname/$service_id/edit/$kind`,
    under,
    needs: ['stack_service_view', 'stack_service_edit'],
    page: () => import('./outward/upgrade-outward-page.tsx').then((m) => m.UpgradeOutwardPage),
  },
  {
    name: 'ingress-containers',
    path: `${centre}/${ingress}/ingressdetail`,
    under,
    needs: 'stack_service_view',
    page: () => import('./outward/ingress-page.tsx').then((m) => m.IngressPage),
  },
  {
    name: 'ingress-group',
    path: `${centre}/${ingress}/ingressdetail/group/$group_name`,
    under,
    needs: 'stack_service_view',
    page: () => import('./outward/ingress-page.tsx').then((m) => m.IngressPage),
  },
  {
    name: 'containers',
    path: `${centre}/${service}`,
    under,
    needs: 'stack_service_view',
    page: () => import('./services/service-page.tsx').then((m) => m.ServicePage),
  },
  {
    name: 'product-containers',
    path: `${centre}/personal/$product_id/$app_name/${service}`,
    under: 'personal-products',
    needs: 'stack_service_view',
    page: () => import('./services/service-page.tsx').then((m) => m.ServicePage),
  },
]
