import { products } from '@gantry/contract/products/products'
import { page } from '../../kernel/paging.ts'
import { defineModule } from '../../module.ts'
import { search } from './products.search.ts'
import { changeProduct, createProduct, getProduct, removeProduct } from './products.service.ts'
import { listProducts } from './products.store.ts'

export const module = defineModule({
  routes(route) {
    route(products.list, (ctx, { params, query }) =>
      listProducts(ctx.db, params.team, query.search ?? query.keyword ?? '', page(query)),
    )
    route(products.create, (ctx, { params, body }) => createProduct(ctx, params.team, body))
    route(products.get, (ctx, { params }) => getProduct(ctx, params.team, params.id))
    route(products.update, (ctx, { params, body }) => changeProduct(ctx, params.team, params.id, body))
    route(products.remove, (ctx, { params, query }) => removeProduct(ctx, params.team, params.id, query.confirm))
  },
  search: [search],
  onTeamDelete: {
    phrase: 'team-owned-products',
    count: async (db, teamId) => {
      const { count } = await db
        .selectFrom('product')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('team_id', '=', teamId)
        .executeTakeFirstOrThrow()
      return count
    },
  },
})
