import type { AppRoute } from '../../ui/route.ts'

const one = '/teams/$team_id/products/personal/$product_id/$product_name/blueprints/$blueprint_id'
const under = 'personal-products'
const outward = () => import('./editor/outward-page.tsx')
const service = () => import('./editor/service-page.tsx')

export const routes: readonly AppRoute[] = [
  {
    name: 'stack-import',
    path: '/teams/$team_id/appcenter/import',
    under: 'app-list',
    needs: 'stack_service_create',
    page: () => import('./import/import-page.tsx').then((m) => m.ImportPage),
  },
  {
    name: 'cluster-take-over',
    path: '/teams/$team_id/resourcemanager/cluster/environments-detail/$env_uuid/take-over',
    under: 'resourcemanager-environments-new',
    access: 'admin',
    page: () => import('./takeovers/take-over-page.tsx').then((m) => m.TakeOverPage),
  },
  {
    name: 'blueprint',
    path: one,
    under,
    needs: 'product_blueprint_view',
    page: () => import('./editor/blueprint-page.tsx').then((m) => m.BlueprintPage),
  },
  {
    name: 'blueprint-deploy',
    path: `${one}/deploy`,
    under,
    needs: 'product_blueprint_view',
    page: () => import('./release/deploy-page.tsx').then((m) => m.DeployPage),
  },
  {
    name: 'service-business-add',
    path: `${one}/service/business/add`,
    under,
    needs: 'product_blueprint_edit',
    page: () => service().then((m) => m.AddNodePage),
  },
  {
    name: 'service-business-edit',
    path: `${one}/service/business-edit-new/$sname`,
    under,
    needs: 'product_blueprint_edit',
    page: () => service().then((m) => m.EditNodePage),
  },
  {
    name: 'service-business-clone',
    path: `${one}/service/business-edit-clone/$sname`,
    under,
    needs: 'product_blueprint_edit',
    page: () => service().then((m) => m.CloneNodePage),
  },
  {
    name: 'service-outward-add',
    path: `${one}/service/$kind/add`,
    under,
    needs: 'product_blueprint_edit',
    page: () => outward().then((m) => m.AddOutwardNodePage),
  },
  {
    name: 'service-outward-edit',
    path: `${one}/service/$kind/$sname/edit`,
    under,
    needs: 'product_blueprint_edit',
    page: () => outward().then((m) => m.EditOutwardNodePage),
  },
]
