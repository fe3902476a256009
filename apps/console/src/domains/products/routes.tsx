import type { AppRoute } from '../../ui/route.ts'

const list = '/teams/$team_id/products/personal'

export const routes: readonly AppRoute[] = [
  {
    name: 'personal-products',
    path: list,
    needs: 'product_product_view',
    page: () => import('./product-list-page.tsx').then((m) => m.ProductListPage),
  },
  {
    name: 'product-version',
    path: `${list}/$product_id/version`,
    under: 'personal-products',
    needs: ['product_product_view', 'product_blueprint_view'],
    page: () => import('./product-version-page.tsx').then((m) => m.ProductVersionPage),
  },
  {
    name: 'product-app',
    path: `${list}/$product_id/app`,
    under: 'personal-products',
    needs: 'product_product_view',
    page: () => import('./product-app-page.tsx').then((m) => m.ProductAppPage),
  },
]
