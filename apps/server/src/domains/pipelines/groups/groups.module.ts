import { groups } from '@gantry/contract/pipelines/groups'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { search } from './groups.search.ts'
import {
  changeGroup,
  createGroup,
  getGroup,
  readGroupVariables,
  removeGroup,
  writeGroupVariables,
} from './groups.service.ts'
import { countPipelines, groupTeam, listAllGroups, listGroups } from './groups.store.ts'

export const module = defineModule({
  routes(route) {
    route(groups.all, (ctx, { query }) => listAllGroups(ctx.db, query.keyword ?? '', page(query)))
    route(groups.list, (ctx, { params, query }) => listGroups(ctx.db, params.teamId, query.keyword ?? '', page(query)))
    route(groups.create, (ctx, { params, body }) => createGroup(ctx, params.teamId, body))
    route(groups.get, (ctx, { params }) => getGroup(ctx, params.teamId, params.pipelineGroupId))
    route(groups.update, (ctx, { params, query, body }) => changeGroup(ctx, params.id, body, query.teamId))
    route(groups.remove, (ctx, { params }) => removeGroup(ctx, params.id))
    route(groups.count, async (ctx, { params }) => ({ pipelines: await countPipelines(ctx.db, params.id) }))
    route(groups.variables, (ctx, { params }) => readGroupVariables(ctx, params.id))
    route(groups.setVariables, (ctx, { params, body }) => writeGroupVariables(ctx, params.id, body))
  },
  owners: [{ kind: 'pipeline-group', teamOf: (db, id) => groupTeam(db, Number(id)) }],
  search: [search],
})
