import { buildImages } from '@gantry/contract/build-images/build-images'
import { page } from '../../kernel/paging.ts'
import { defineModule } from '../../module.ts'
import {
  assignImage,
  changeImage,
  createImage,
  publishImage,
  readCatalogs,
  readImages,
  removeImage,
} from './build-images.service.ts'

export const module = defineModule({
  routes(route) {
    route(buildImages.list, (ctx, { query: { kind, type, catalog, teamId, keyword = '', ...at } }) =>
      readImages(ctx, { kind, type, catalog, keyword }, teamId, page(at)),
    )
    route(buildImages.catalogs, (ctx, { query }) => readCatalogs(ctx, query.type))
    route(buildImages.create, (ctx, { body }) => createImage(ctx, body))
    route(buildImages.update, (ctx, { params, body }) => changeImage(ctx, params.id, body))
    route(buildImages.remove, (ctx, { params }) => removeImage(ctx, params.id))
    route(buildImages.assign, (ctx, { params, body }) => assignImage(ctx, params.t, body.imageId, body.environments))
    route(buildImages.publish, (ctx, { params, body }) => publishImage(ctx, params.t, body.imageId))
  },
})
