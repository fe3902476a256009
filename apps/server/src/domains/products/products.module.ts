import { Readable } from 'node:stream'
import { products } from '@gantry/contract/products/products'
import { stream } from '../../http/reply.ts'
import { page } from '../../kernel/paging.ts'
import { defineModule } from '../../module.ts'
import { search } from './products.search.ts'
import {
  changeProduct,
  cloneProduct,
  createProduct,
  getProduct,
  readImage,
  removeProduct,
  setImage,
} from './products.service.ts'
import { listProducts } from './products.store.ts'
import { countOfTeam } from '../../db/list.ts'

export const module = defineModule({
  routes(route) {
    route(products.list, (ctx, { params, query }) =>
      listProducts(ctx.db, params.team, query.search ?? query.keyword ?? '', page(query)),
    )
    route(products.create, (ctx, { params, body }) => createProduct(ctx, params.team, body))
    route(products.get, (ctx, { params }) => getProduct(ctx, params.team, params.id))
    route(products.update, (ctx, { params, body }) => changeProduct(ctx, params.team, params.id, body))
    route(products.clone, (ctx, { params, body }) => cloneProduct(ctx, params.team, params.id, body.name))
    route(products.setImage, (ctx, { params, upload }) => setImage(ctx, params.team, params.id, upload))
    route(products.image, async (ctx, { params, query }) => {
      const { image, version } = await readImage(ctx, params.team, params.id)
      return stream(Readable.from([image]), {
        'content-length': String(image.length),
        // a version's picture never changes
        ...(query.v === version ? { 'cache-control': 'private, max-age=31536000, immutable' } : {}),
      })
    })
    route(products.remove, (ctx, { params, query }) => removeProduct(ctx, params.team, params.id, query.confirm))
  },
  search: [search],
  onTeamDelete: {
    phrase: 'team-owned-products',
    count: countOfTeam('product'),
  },
})
