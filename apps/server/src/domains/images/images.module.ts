import { registries } from '@gantry/contract/images/registries'
import { page } from '../../kernel/paging.ts'
import { defineModule } from '../../module.ts'
import { search } from './registries.search.ts'
import {
  changeRegistry,
  createRegistry,
  listNames,
  listRegistries,
  removeRegistry,
  verifyRegistry,
} from './registries.service.ts'
import { putSandbox, registryTeam } from './registries.store.ts'

export const module = defineModule({
  routes(route) {
    route(registries.list, (ctx, { params }) => listRegistries(ctx, params.teamId))
    route(registries.create, (ctx, { params, body }) => createRegistry(ctx, params.teamId, body))
    route(registries.update, (ctx, { params, body }) => changeRegistry(ctx, params.teamId, params.registryId, body))
    route(registries.remove, (ctx, { params }) => removeRegistry(ctx, params.teamId, params.registryId))
    route(registries.verify, (ctx, { body }) => verifyRegistry(ctx, body))
    route(registries.repositories, (ctx, { params: { teamId, registryId }, query }) =>
      listNames(ctx, teamId, registryId, { keyword: query.keyword ?? '' }, page(query)),
    )
    route(registries.tags, (ctx, { params: { teamId, registryId }, query }) =>
      listNames(ctx, teamId, registryId, { repo: query.repo, keyword: query.keyword ?? '' }, page(query)),
    )
  },
  owners: [{ kind: 'registry', teamOf: (db, id) => registryTeam(db, Number(id)) }],
  search: [search],
  /** The simulated registry is there for every team as long as the sandbox runs. */
  onStart: {
    order: 20,
    async run(ctx) {
      if (ctx.config.sandboxRegistry !== undefined) await putSandbox(ctx.db, ctx.config.sandboxRegistry.url)
    },
  },
})
