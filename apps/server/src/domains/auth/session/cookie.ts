import type { Session } from '@gantry/contract/auth/session'
import type { Endpoint } from '@gantry/contract/endpoint'
import { joinHeader, proofHeader } from '@gantry/contract/envelope'
import type { Cookies } from '../../../http/cookies.ts'
import type { Input } from '../../../http/route.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { sessionDays, tokenKind } from '../../../identity/sessions.ts'
import type { Browser, Login } from '../../../identity/sign-in.ts'
import { knownDays } from '../bans/known-browsers.store.ts'

const path = '/api'
export const loginCookie = { name: 'gantry_session', path }
const knownCookie = { name: 'gantry_known', path }

/** Undefined for programs, which send no proof and need no cookies. */
export function browserOf({ cookies, header }: Pick<Input<Endpoint>, 'cookies' | 'header'>): Browser | undefined {
  const proof = header(proofHeader)
  if (proof === undefined || !/^[0-9a-f]{64}$/.test(proof)) return undefined
  const known = (cookies.get(knownCookie.name) ?? '').split('.').filter((token) => tokenKind(token) === 'browser')
  return { proof, login: cookies.get(loginCookie.name), known, join: header(joinHeader) }
}

/** The end of every way to log in: sets the cookies, and names the user in the audit row. */
export function enter(ctx: Ctx, cookies: Cookies, { session, opened, known }: Login): Session {
  const set = ({ name, path }: typeof loginCookie, value: string | undefined, days: number) => {
    if (value !== undefined) cookies.set(name, value, { path, sameSite: 'Strict', maxAgeSeconds: days * 86_400 })
  }
  set(loginCookie, opened.cookie, sessionDays)
  set(knownCookie, known?.join('.'), knownDays)
  ctx.actor = { kind: 'user', id: session.id, name: session.userName, admin: session.admin }
  return session
}
