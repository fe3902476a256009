import { session } from '@gantry/contract/auth/session'
import { roles } from '@gantry/contract/teams/roles'
import { grantersOf } from '../../../identity/access.ts'
import { defineModule } from '../../../module.ts'
import { lookAs } from '../teams/view-as.service.ts'
import { addFirstRoles, changePermissions, createRole, removeRole, rolePermissions } from './roles.service.ts'
import { listRoles } from './roles.store.ts'
import { templates } from './templates.ts'

export const module = defineModule({
  routes(route) {
    route(roles.list, (ctx, { params }) => listRoles(ctx.db, params.teamId))
    route(roles.create, (ctx, { params, query }) => createRole(ctx, params.teamId, query))
    route(roles.addFirst, (ctx, { params }) => addFirstRoles(ctx, params.teamId))
    route(roles.remove, (ctx, { params }) => removeRole(ctx, params.teamId, params.roleId))
    route(roles.permissions, (ctx, { params }) => rolePermissions(ctx, params.teamId, params.roleId))
    route(roles.setPermissions, (ctx, { params, body }) => changePermissions(ctx, params.teamId, params.roleId, body))
    route(roles.givers, (ctx, { params }) => grantersOf(ctx.db, params.teamId, params.name))
    route(roles.templates, () => templates())
    route(session.viewAs, (ctx, { params, body, caller }) => lookAs(ctx, caller, params.teamId, body.roleId))
  },
})
