import { registries } from '@gantry/contract/images/registries'
import type { Routes } from '../../http/route.ts'
import { page } from '../../kernel/paging.ts'
import {
  changeRegistry,
  createRegistry,
  listNames,
  listRegistries,
  removeRegistry,
  verifyRegistry,
} from './registries.service.ts'

export const routes: Routes = (route) => {
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
}
