import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { platformVersion } from '@gantry/tosca/version'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { search } from './blueprints.search.ts'
import {
  changeBasics,
  changeTemplate,
  cloneBlueprint,
  createBlueprint,
  getBlueprint,
  removeBlueprint,
  saveStack,
  withOutdated,
  translateBlueprint,
} from './blueprints.service.ts'
import { listBlueprints } from './blueprints.store.ts'

export const module = defineModule({
  routes(route) {
    route(blueprints.list, async (ctx, { params, query }) => {
      const filter = { productId: query.application_id, keyword: query.keyword ?? '' }
      const list = await listBlueprints(ctx.db, params.teamId, filter, page(query))
      return { ...list, items: list.items.map(withOutdated) }
    })
    route(blueprints.create, (ctx, { params, body }) => createBlueprint(ctx, params.teamId, body))
    route(blueprints.basic, (ctx, { params, body }) => changeBasics(ctx, params.teamId, params.uuid, body))
    route(blueprints.update, (ctx, { params, body }) => changeTemplate(ctx, params.teamId, params.id, body))
    route(blueprints.get, (ctx, { params }) => getBlueprint(ctx, params.teamId, params.id))
    route(blueprints.remove, (ctx, { params }) => removeBlueprint(ctx, params.teamId, params.id))
    route(blueprints.clone, (ctx, { params, body }) => cloneBlueprint(ctx, params.teamId, params.uuid, body))
    route(blueprints.saveStack, (ctx, { params, body }) => saveStack(ctx, params, body))
    route(blueprints.toscaVersion, () => ({ version: platformVersion }))
    route(blueprints.translate, (ctx, { query, body }) => translateBlueprint(ctx, query.uuid, body.version))
  },
  search: [search],
})
