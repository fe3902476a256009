import { users } from '@gantry/contract/users/users'
import type { Routes } from '../../http/route.ts'
import { page } from '../../kernel/paging.ts'
import { listUsers } from './users.read.ts'
import { createUser, getUser, updateUser } from './users.service.ts'

export const routes: Routes = (route) => {
  // the specification's page=true is a flag and no page number
  route(users.list, (ctx, { query: { page: _flag, ...query } }) => listUsers(ctx.db, query, page(query)))
  route(users.create, (ctx, { body }) => createUser(ctx, body))
  route(users.get, (ctx, { params, caller }) => getUser(ctx, params.id, caller))
  route(users.update, (ctx, { params, body, caller }) => updateUser(ctx, params.id, body, caller))
}
