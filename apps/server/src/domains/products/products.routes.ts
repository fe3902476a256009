import { products } from '@gantry/contract/products/products'
import type { Routes } from '../../http/route.ts'
import { page } from '../../kernel/paging.ts'
import { changeProduct, createProduct, getProduct, removeProduct } from './products.service.ts'
import { listProducts } from './products.store.ts'

export const routes: Routes = (route) => {
  route(products.list, (ctx, { params, query }) =>
    listProducts(ctx.db, params.team, query.search ?? query.keyword ?? '', page(query)),
  )
  route(products.create, (ctx, { params, body }) => createProduct(ctx, params.team, body))
  route(products.get, (ctx, { params }) => getProduct(ctx, params.team, params.id))
  route(products.update, (ctx, { params, body }) => changeProduct(ctx, params.team, params.id, body))
  route(products.remove, (ctx, { params }) => removeProduct(ctx, params.team, params.id))
}
