import { systemRoles } from '@gantry/contract/teams/roles'
import { users } from '@gantry/contract/users/users'
import { defineModule } from '../../../module.ts'
import { assignSystemRoles, changeSystemRole, createSystemRole, removeSystemRole } from './system-roles.service.ts'
import { start } from './system-roles.start.ts'
import { listSystemRoles } from './system-roles.store.ts'

export const module = defineModule({
  routes(route) {
    route(systemRoles.list, (ctx) => listSystemRoles(ctx.db))
    route(systemRoles.create, (ctx, { body }) => createSystemRole(ctx, body))
    route(systemRoles.update, (ctx, { params, body }) => changeSystemRole(ctx, params.roleId, body))
    route(systemRoles.remove, (ctx, { params }) => removeSystemRole(ctx, params.roleId))
    route(users.assignSystemRoles, (ctx, { params, query, body }) =>
      assignSystemRoles(ctx, params.id, body, query.revision),
    )
  },
  onStart: start,
})
