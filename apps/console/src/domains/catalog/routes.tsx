import type { AppRoute } from '../../ui/route.ts'

const presets = '/teams/$team_id/products/system'
const deploy = () => import('./preset-deploy-page.tsx')

export const routes: readonly AppRoute[] = [
  {
    name: 'sys-catalog',
    path: '/sysconfig/admin-version',
    access: 'admin',
    page: () => import('./catalog-list-page.tsx').then((m) => m.CatalogListPage),
  },
  {
    name: 'sys-catalog-edition',
    path: '/sysconfig/admin-version/edition/$catalog_id',
    access: 'admin',
    under: 'sys-catalog',
    page: () => import('./template-list-page.tsx').then((m) => m.TemplateListPage),
  },
  {
    name: 'persetService',
    path: presets,
    needs: 'product_blueprint_view',
    page: () => import('./preset-list-page.tsx').then((m) => m.PresetListPage),
  },
  {
    name: 'preset-version',
    path: `${presets}/$catalog_id/version`,
    under: 'persetService',
    needs: 'product_blueprint_view',
    page: () => import('./preset-version-page.tsx').then((m) => m.PresetVersionPage),
  },
  {
    name: 'preset-version-deploy',
    path: `${presets}/$catalog_id/$catalog_name/have-version/$version_id/deploy`,
    under: 'persetService',
    needs: 'product_blueprint_view',
    page: () => deploy().then((m) => m.DeployVersionPage),
  },
  {
    name: 'preset-deploy',
    path: `${presets}/$catalog_id/$catalog_name/version/deploy`,
    under: 'persetService',
    needs: 'product_blueprint_view',
    page: () => deploy().then((m) => m.DeployNewestPage),
  },
]
