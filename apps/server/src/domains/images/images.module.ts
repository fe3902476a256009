import { platformRegistries } from '@gantry/contract/images/platform-registries'
import { registries } from '@gantry/contract/images/registries'
import { page } from '../../kernel/paging.ts'
import { defineModule } from '../../module.ts'
import {
  assign,
  changePlatformRegistry,
  createPlatformRegistry,
  isAssigned,
  listPlatformRegistries,
  removePlatformRegistry,
  withdraw,
} from './platform.service.ts'
import { search } from './registries.search.ts'
import {
  changeRegistry,
  createRegistry,
  listNames,
  listTagNames,
  listRegistries,
  removeRegistry,
  verifyRegistry,
} from './registries.service.ts'
import { putSandbox, registryTeam } from './registries.store.ts'

export const module = defineModule({
  routes(route) {
    route(platformRegistries.list, listPlatformRegistries)
    route(platformRegistries.create, (ctx, { body }) => createPlatformRegistry(ctx, body))
    route(platformRegistries.update, (ctx, { params, body }) => changePlatformRegistry(ctx, params.id, body))
    route(platformRegistries.remove, (ctx, { params }) => removePlatformRegistry(ctx, params.id))
    route(platformRegistries.assigned, (ctx, { params }) => isAssigned(ctx, params.id, params.teamId))
    route(platformRegistries.assign, (ctx, { params }) => assign(ctx, params.id, params.teamId))
    route(platformRegistries.withdraw, (ctx, { params }) => withdraw(ctx, params.id, params.teamId))
    route(registries.list, (ctx, { params }) => listRegistries(ctx, params.teamId))
    route(registries.create, (ctx, { params, body }) => createRegistry(ctx, params.teamId, body))
    route(registries.update, (ctx, { params, body }) => changeRegistry(ctx, params.teamId, params.registryId, body))
    route(registries.remove, (ctx, { params }) => removeRegistry(ctx, params.teamId, params.registryId))
    route(registries.verify, (ctx, { body }) => verifyRegistry(ctx, body))
    route(registries.repositories, (ctx, { params: { teamId, registryId }, query }) =>
      listNames(ctx, teamId, registryId, { keyword: query.keyword ?? '' }, page(query)),
    )
    route(registries.tags, (ctx, { params: { teamId, registryId }, query }) =>
      listTagNames(ctx, teamId, registryId, { repo: query.repo, keyword: query.keyword ?? '' }, page(query)),
    )
  },
  owners: [{ kind: 'registry', teamsOf: (db, id) => registryTeam(db, Number(id)) }],
  search: [search],
  /** every team has the simulated registry as long as the sandbox runs */
  onStart: {
    order: 20,
    async run(ctx) {
      if (ctx.config.sandboxRegistry !== undefined) await putSandbox(ctx.db, ctx.config.sandboxRegistry.url)
    },
  },
})
