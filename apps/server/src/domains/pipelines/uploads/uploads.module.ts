import { artifacts } from '@gantry/contract/pipelines/artifacts'
import { attachment, stream } from '../../../http/reply.ts'
import { mustExist } from '../../../kernel/fault.ts'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { requestedAttempt } from '../attempts/attempts.service.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import { zipFolder } from './archive.service.ts'
import { findArtifact, listArtifacts, listFolder } from './artifacts.read.ts'
import { jobs } from './blobs.jobs.ts'

export const module = defineModule({
  routes(route) {
    route(artifacts.list, async (ctx, { params, query }) => {
      const { id } = await getPipeline(ctx, params.id)
      return listArtifacts(ctx.db, id, params.number, await requestedAttempt(ctx, id, params.number, query))
    })
    route(artifacts.file, async (ctx, { params }) => {
      const pipeline = await getPipeline(ctx, params.id)
      const artifact = mustExist(await findArtifact(ctx.db, pipeline.id, params.number, params.artifactId))
      return stream(await ctx.ports.blobs.get(artifact.blob), {
        'content-disposition': attachment(artifact.path.split('/').at(-1) ?? 'artifact'),
        'content-length': String(artifact.size),
      })
    })
    route(artifacts.tree, async (ctx, { params, query }) => {
      const { id } = await getPipeline(ctx, params.id)
      const of = await requestedAttempt(ctx, id, params.number, query)
      const below = { folder: query.folder, keyword: query.keyword ?? '', of }
      return listFolder(ctx.db, id, params.number, below, page(query))
    })
    route(artifacts.zip, async (ctx, { params, query }) => {
      const { body, size, name } = await zipFolder(ctx, params.id, params.number, query)
      return stream(body, { 'content-disposition': attachment(name), 'content-length': String(size) })
    })
  },
  jobs,
})
