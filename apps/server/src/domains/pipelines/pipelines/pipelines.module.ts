import { Readable } from 'node:stream'
import { Definition } from '@gantry/contract/pipelines/definition'
import { idOrUuid } from '@gantry/contract/ids'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { page } from '../../../kernel/paging.ts'
import { z } from 'zod'
import { stream } from '../../../http/reply.ts'
import { sharedRead } from '../../../db/shared-read.ts'
import { defineModule } from '../../../module.ts'
import { cloneGroup, clonePipeline } from './clones.service.ts'
import { listPipelines, readPipeline } from './pipelines.read.ts'
import { search } from './pipelines.search.ts'
import {
  createPipeline,
  getPipeline,
  readDefinition,
  readSetting,
  removePipeline,
  writeDefinition,
  writeSetting,
  writeVariables,
} from './pipelines.service.ts'
import { pipelineTeam } from './pipelines.store.ts'
import { checkRepository } from './repository.service.ts'
import { countOfTeam } from '../../../db/list.ts'

/** The schema of a definition as users write it, where defaults may be left out. */
const schema = JSON.stringify(z.toJSONSchema(Definition, { io: 'input', unrepresentable: 'any' }))

export const module = defineModule({
  routes(route) {
    route(pipelines.list, ({ db }, { params, query }) =>
      sharedRead(db, ['pipelines', params.teamId, query], () =>
        listPipelines(
          db,
          params.teamId,
          {
            name: query.projectName ?? query.keyword ?? '',
            groupId: query.groupId,
            state: query.state ?? '',
            repository: query.repository ?? '',
          },
          query.sort,
          page(query),
        ),
      ),
    )
    route(definitions.create, (ctx, { body }) => createPipeline(ctx, body))
    route(pipelines.get, async (ctx, { params }) => readPipeline(ctx.db, (await getPipeline(ctx, params.id)).id))
    route(pipelines.remove, (ctx, { params: { pipelineId, appId }, query: { confirm } }) =>
      removePipeline(ctx, pipelineId, { appId, confirm }),
    )
    route(definitions.schema, () => stream(Readable.from([schema])))
    route(definitions.get, (ctx, { params }) => readDefinition(ctx, params.pipelineId, params.appId))
    route(definitions.set, (ctx, { params, body }) => writeDefinition(ctx, params.pipelineId, params.appId, body))
    route(pipelines.setting, (ctx, { params }) => readSetting(ctx, params.pipelineId, params.appId))
    route(pipelines.setSetting, (ctx, { params, body }) => writeSetting(ctx, params.pipelineId, params.appId, body))
    route(pipelines.setVariables, (ctx, { params, body }) => writeVariables(ctx, params.id, body))
    route(pipelines.clone, (ctx, { params, body }) => clonePipeline(ctx, params.uuid, body))
    route(pipelines.cloneGroup, (ctx, { params, body }) => cloneGroup(ctx, params.uuid, body))
    route(pipelines.checkRepository, (ctx, { params, body }) => checkRepository(ctx, params.teamId, body))
  },
  owners: [
    {
      kind: 'pipeline',
      // the name of a topic may contain anything in place of the id
      teamOf: async (db, text) => {
        const key = idOrUuid.safeParse(text)
        return key.success ? pipelineTeam(db, key.data) : undefined
      },
    },
  ],
  search: [search],
  onTeamDelete: {
    phrase: 'team-owned-pipelines',
    count: countOfTeam('pipeline'),
  },
})
