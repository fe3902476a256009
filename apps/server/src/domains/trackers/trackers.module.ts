import { jiraConfigs } from '@gantry/contract/trackers/jira'
import { tapd } from '@gantry/contract/trackers/tapd'
import { page } from '../../kernel/paging.ts'
import { defineModule } from '../../module.ts'
import {
  changeJira,
  checkJira,
  createJira,
  readJiras,
  readProjects,
  readTransitions,
  removeJira,
  verifyJira,
} from './connections.service.ts'
import { readTapd, saveTapd } from './tapd.service.ts'

export const module = defineModule({
  routes(route) {
    route(jiraConfigs.list, (ctx, { query }) => readJiras(ctx, query, page(query)))
    route(jiraConfigs.create, (ctx, { body }) => createJira(ctx, body))
    route(jiraConfigs.update, (ctx, { params, body }) => changeJira(ctx, params.id, body))
    route(jiraConfigs.remove, (ctx, { params }) => removeJira(ctx, params.id))
    route(jiraConfigs.verify, (ctx, { body }) => verifyJira(ctx, body))
    route(jiraConfigs.check, (ctx, { params }) => checkJira(ctx, params.id))
    route(jiraConfigs.projects, (ctx, { query }) => readProjects(ctx, query, page(query)))
    route(tapd.get, (ctx) => readTapd(ctx))
    route(tapd.set, (ctx, { body }) => saveTapd(ctx, body))
    route(jiraConfigs.transitions, (ctx, { query }) => readTransitions(ctx, query))
  },
})
