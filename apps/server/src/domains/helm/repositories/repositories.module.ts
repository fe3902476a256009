import { helmRepositories } from '@gantry/contract/helm/repositories'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import {
  assignRepository,
  changeRepository,
  createRepository,
  readAllRepositories,
  readRepositories,
  removeRepository,
  repositoriesOfTeam,
} from './repositories.service.ts'

export const module = defineModule({
  routes(route) {
    route(helmRepositories.readAll, (ctx) => readAllRepositories(ctx))
    route(helmRepositories.create, (ctx, { body }) => createRepository(ctx, body))
    route(helmRepositories.list, (ctx, { query }) => readRepositories(ctx, query, page(query)))
    route(helmRepositories.update, (ctx, { body }) => changeRepository(ctx, body))
    route(helmRepositories.assign, (ctx, { params, body }) => assignRepository(ctx, params.helmId, body.teams))
    route(helmRepositories.remove, (ctx, { params }) => removeRepository(ctx, params.id))
    route(helmRepositories.all, (ctx, { query }) => repositoriesOfTeam(ctx, query.tenantId))
  },
})
