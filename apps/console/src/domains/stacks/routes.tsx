import type { AppRoute } from '../../ui/route.ts'

const centre = '/teams/$team_id/appcenter'
const stack = 'stack/$stack_name/$stack_id'
const service =
  'env/$env_id/stack/$stack_id/$stack_uuid/$stack_name/services/$service_id/$service_name/$service_type/containers/from/$from'
const under = 'app-list'

export const routes: readonly AppRoute[] = [
  {
    name: 'app-list',
    path: centre,
    needs: 'stack_stack_view',
    page: () => import('./stacks/app-list-page.tsx').then((m) => m.AppListPage),
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
    needs: 'stack_service_edit',
    page: () => import('./spec/upgrade-service-page.tsx').then((m) => m.UpgradeServicePage),
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
