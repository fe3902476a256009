import { roles } from '@gantry/contract/teams/roles'
import type { Routes } from '../../http/route.ts'
import { changePermissions, createRole, removeRole, rolePermissions } from './roles.service.ts'
import { listRoles } from './roles.store.ts'

export const routes: Routes = (route) => {
  route(roles.list, (ctx, { params }) => listRoles(ctx.db, params.teamId))
  route(roles.create, (ctx, { params, query }) => createRole(ctx, params.teamId, query.roleName))
  route(roles.remove, (ctx, { params }) => removeRole(ctx, params.teamId, params.roleId))
  route(roles.permissions, (ctx, { params }) => rolePermissions(ctx, params.teamId, params.roleId))
  route(roles.setPermissions, (ctx, { params, body }) => changePermissions(ctx, params.teamId, params.roleId, body))
}
