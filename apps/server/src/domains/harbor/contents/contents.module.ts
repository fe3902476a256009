import { harborContents } from '@gantry/contract/harbor/contents'
import { harborProjects } from '@gantry/contract/harbor/projects'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import {
  layersOf,
  listImages,
  listRepositories,
  removeRepositories,
  removeTag,
  removeTags,
  scansOf,
} from './contents.service.ts'
import { rulesOf } from './rules.service.ts'
import { reportOf, scanImage } from './scans.service.ts'
import { usersOfImage } from './users.service.ts'

export const module = defineModule({
  routes(route) {
    route(harborContents.repositories, (ctx, { params, query }) =>
      listRepositories(ctx, params.id, params.projectId, query.keyword ?? '', page(query)),
    )
    route(harborContents.tags, (ctx, { params, query }) => listImages(ctx, params.id, query, page(query)))
    route(harborContents.removeTag, (ctx, { params, query }) => removeTag(ctx, params.id, query))
    route(harborContents.removeRepositories, (ctx, { params, query, body }) =>
      removeRepositories(ctx, params.id, query.projectId, body),
    )
    route(harborContents.removeTags, (ctx, { params, body }) => removeTags(ctx, params.id, body))
    route(harborContents.layer, (ctx, { params, query }) => layersOf(ctx, params.id, query.repo, query.tag))
    route(harborContents.uses, (ctx, { params, query }) => usersOfImage(ctx, params.id, query))
    route(harborContents.scans, (ctx, { params, query }) =>
      scansOf(ctx, params.id, query.repo, query.digests.split(',')),
    )
    route(harborProjects.rules, (ctx, { params }) => rulesOf(ctx, params.id, params.projectId))
    route(harborContents.report, (ctx, { params, query }) => reportOf(ctx, params.id, query, page(query)))
    route(harborContents.scan, (ctx, { params, body }) => scanImage(ctx, params.id, body))
  },
})
