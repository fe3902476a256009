import { session } from '@gantry/contract/auth/session'
import type { Routes } from '../../http/route.ts'
import { endSession, makeTicket } from '../../kernel/sessions.ts'
import { cookie, enter } from './cookie.ts'
import { catalogue } from './catalogue.ts'
import { login } from './login.service.ts'
import { permissionsOf } from './permissions.service.ts'
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
    if (caller.session) await endSession(ctx, caller.session.family)
    cookies.clear(cookie.name, cookie.path)
    return { logoutUrl: null }
  })
  route(session.ldaps, () => [])
  route(session.options, ({ config }) => ({
    productName: config.product.name,
    version: config.product.version,
    registration: config.registration,
    oauth: null,
    sandbox: config.sandbox,
  }))
  route(session.catalogue, () => catalogue())
  route(session.ticket, async (ctx, { body, caller }) => ({
    ticket: await makeTicket(ctx.db, caller, body.method, body.path),
  }))
  route(session.permissions, (ctx, { params }) => permissionsOf(ctx, params.teamId, params.userId))
}
