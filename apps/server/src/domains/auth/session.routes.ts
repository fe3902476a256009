import { session } from '@gantry/contract/auth/session'
import type { Routes } from '../../http/route.ts'
import { note } from '../../kernel/audit.ts'
import { makeTicket } from '../../kernel/sessions.ts'
import { cookie, enter } from './cookie.ts'
import { login } from './login.service.ts'
import { logout } from './logout.service.ts'
import { optionsOf } from './options.read.ts'
import { catalogue, permissionsOf } from './permissions.service.ts'
import { enterTeam, refresh } from './session.service.ts'

export const routes: Routes = (route) => {
  route(session.login, async (ctx, { body, cookies }) => {
    const done = await login(ctx, body)
    return enter(ctx, cookies, done)
  })
  route(session.refresh, (ctx, { query, caller, cookies }) =>
    query.tenantId === undefined ? refresh(ctx, cookies.get(cookie.name)) : enterTeam(ctx, caller, query.tenantId),
  )
  route(session.logout, async (ctx, { caller, cookies }) => {
    const logoutUrl = await logout(ctx, caller)
    cookies.clear(cookie.name, cookie.path)
    return { logoutUrl }
  })
  route(session.options, (ctx) => optionsOf(ctx))
  route(session.catalogue, (ctx) => catalogue(ctx))
  route(session.ticket, async (ctx, { body: { method, path }, caller }) => {
    note(ctx, { object: path })
    return { ticket: await makeTicket(ctx.db, caller, method, path) }
  })
  route(session.permissions, (ctx, { params }) => permissionsOf(ctx, params.teamId, params.userId))
}
