import { session } from '@gantry/contract/auth/session'
import type { Routes } from '../../http/route.ts'
import { endSession, makeTicket, sessionDays } from '../../kernel/sessions.ts'
import { catalogue } from './catalogue.ts'
import { login } from './login.service.ts'
import { permissionsOf } from './permissions.service.ts'
import { enterTeam, refresh } from './session.service.ts'

/** Good for nothing but a new tab's token, so the browser sends it nowhere else. */
const cookie = { name: 'gantry_login', path: session.refresh.path }

export const routes: Routes = (route) => {
  route(session.login, async (ctx, { body, cookies }) => {
    const { session, opened } = await login(ctx, body)
    cookies.set(cookie.name, opened.cookie, {
      path: cookie.path,
      sameSite: 'Strict',
      maxAgeSeconds: sessionDays * 86_400,
    })
    // the audit row of a login names who came in
    ctx.actor = { kind: 'user', id: session.id, name: session.userName, admin: session.admin }
    return session
  })
  route(session.refresh, (ctx, { query, caller, cookies }) =>
    query.tenantId === undefined ? refresh(ctx, cookies.get(cookie.name)) : enterTeam(ctx, caller, query.tenantId),
  )
  route(session.logout, async (ctx, { caller, cookies }) => {
    if (caller.session) await endSession(ctx, caller.session.family)
    cookies.clear(cookie.name, cookie.path)
    return null
  })
  route(session.ldaps, () => [])
  route(session.options, ({ config }) => ({
    productName: config.product.name,
    version: config.product.version,
    registration: config.registration,
    oauth: false,
    sandbox: config.sandbox,
  }))
  route(session.catalogue, () => catalogue())
  route(session.ticket, async (ctx, { body, caller }) => ({
    ticket: await makeTicket(ctx.db, caller, body.method, body.path),
  }))
  route(session.permissions, (ctx, { params }) => permissionsOf(ctx, params.teamId, params.userId))
}
