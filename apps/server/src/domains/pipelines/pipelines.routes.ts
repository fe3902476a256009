import { pipelines } from '@gantry/contract/pipelines/pipelines'
import type { Routes } from '../../http/route.ts'
import { page } from '../../kernel/paging.ts'
import { listPipelines, readPipeline } from './pipelines.read.ts'
import {
  checkRepository,
  createPipeline,
  getPipeline,
  readDefinition,
  readSetting,
  removePipeline,
  writeDefinition,
  writeSetting,
} from './pipelines.service.ts'

export const routes: Routes = (route) => {
  route(pipelines.list, (ctx, { params, query }) =>
    listPipelines(
      ctx.db,
      params.teamId,
      { name: query.projectName ?? query.keyword ?? '', groupId: query.groupId, state: query.state ?? '' },
      query.sort,
      page(query),
    ),
  )
  route(pipelines.create, (ctx, { body }) => createPipeline(ctx, body))
  route(pipelines.get, async (ctx, { params }) => readPipeline(ctx.db, (await getPipeline(ctx, params.id)).id))
  route(pipelines.remove, (ctx, { params }) => removePipeline(ctx, params.pipelineId, params.appId))
  route(pipelines.definition, (ctx, { params }) => readDefinition(ctx, params.pipelineId, params.appId))
  route(pipelines.setDefinition, (ctx, { params, body }) => writeDefinition(ctx, params.pipelineId, params.appId, body))
  route(pipelines.setting, (ctx, { params }) => readSetting(ctx, params.pipelineId, params.appId))
  route(pipelines.setSetting, (ctx, { params, body }) => writeSetting(ctx, params.pipelineId, params.appId, body))
  route(pipelines.checkRepository, (ctx, { params, body }) => checkRepository(ctx, params.teamId, body))
}
