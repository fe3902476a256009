import { session } from '@gantry/contract/auth/session'
import { proofHeader } from '@gantry/contract/envelope'
import { makeTicket } from '../../../identity/sessions.ts'
import { note } from '../../../kernel/audit.ts'
import { defineModule } from '../../../module.ts'
import { catalogue, permissionsOf } from '../permissions/permissions.service.ts'
import { browserOf, enter, loginCookie } from './cookie.ts'
import { login } from './login.service.ts'
import { logout } from './logout.service.ts'
import { optionsOf } from './options.read.ts'
import { enterTeam, refresh } from './session.service.ts'
import { endOne, endOthers, sessionsOf } from './sessions.service.ts'

export const module = defineModule({
  routes(route) {
    route(session.login, async (ctx, { body, cookies, header }) => {
      const done = await login(ctx, body, browserOf({ cookies, header }))
      return enter(ctx, cookies, done)
    })
    route(session.refresh, (ctx, { query, caller, cookies, header }) =>
      query.tenantId === undefined
        ? refresh(ctx, cookies.get(loginCookie.name), header(proofHeader))
        : enterTeam(ctx, caller, query.tenantId),
    )
    route(session.logout, async (ctx, { caller, cookies }) => {
      const logoutUrl = await logout(ctx, caller)
      cookies.clear(loginCookie.name, loginCookie.path)
      return { logoutUrl }
    })
    route(session.options, (ctx) => optionsOf(ctx))
    route(session.catalogue, (ctx) => catalogue(ctx))
    route(session.ticket, async (ctx, { body: { method, path }, caller }) => {
      note(ctx, { object: path })
      return { ticket: await makeTicket(ctx.db, caller, method, path) }
    })
    route(session.permissions, (ctx, { params }) => permissionsOf(ctx, params.teamId, params.userId))
    route(session.sessions, (ctx, { caller }) => sessionsOf(ctx, caller))
    route(session.endSession, (ctx, { caller, params }) => endOne(ctx, caller, params.family))
    route(session.endOtherSessions, (ctx, { caller }) => endOthers(ctx, caller))
  },
})
