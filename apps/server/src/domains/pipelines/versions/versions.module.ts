import { versions } from '@gantry/contract/pipelines/editing/versions'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import { listVersions } from './versions.read.ts'
import { compareVersions, readVersion, runDraft } from './versions.service.ts'

export const module = defineModule({
  routes(route) {
    route(versions.list, async (ctx, { params, query }) =>
      listVersions(ctx.db, (await getPipeline(ctx, params.id)).id, page(query)),
    )
    route(versions.get, (ctx, { params }) => readVersion(ctx, params.id, params.revision))
    route(versions.compare, (ctx, { params, query }) => compareVersions(ctx, params.id, params.revision, query.from))
    route(versions.runDraft, (ctx, { params, body }) => runDraft(ctx, params.id, body))
  },
})
