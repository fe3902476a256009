import { session, type Session } from '@gantry/contract/auth/session'
import type { Cookies } from '../../http/cookies.ts'
import type { Ctx } from '../../kernel/context.ts'
import { sessionDays } from '../../kernel/sessions.ts'
import type { Login } from './hooks.ts'

/** Good for nothing but a new tab's token, so the browser sends it nowhere else. */
export const cookie = { name: 'gantry_login', path: session.refresh.path }

/** What every way of signing in ends with: the cookie, and a name in the audit row. */
export function enter(ctx: Ctx, cookies: Cookies, { session, opened }: Login): Session {
  cookies.set(cookie.name, opened.cookie, {
    path: cookie.path,
    sameSite: 'Strict',
    maxAgeSeconds: sessionDays * 86_400,
  })
  ctx.actor = { kind: 'user', id: session.id, name: session.userName, admin: session.admin }
  return session
}
