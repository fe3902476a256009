import { builds } from '@gantry/contract/pipelines/builds'
import { images } from '@gantry/contract/pipelines/images'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import { readReleases, removeVersion, triggerForImage } from './images.service.ts'
import { listVersions } from './images.store.ts'

export const module = defineModule({
  routes(route) {
    route(images.versions, async (ctx, { params, query }) =>
      listVersions(ctx.db, (await getPipeline(ctx, params.id)).id, query.keyword ?? '', page(query)),
    )
    route(builds.triggerForImage, (ctx, { params, body }) => triggerForImage(ctx, params.uuid, body))
    route(images.remove, (ctx, { params }) => removeVersion(ctx, params.id, params.imageId))
    route(images.release, (ctx, { params, query }) => readReleases(ctx, params.teamId, query.image))
  },
})
