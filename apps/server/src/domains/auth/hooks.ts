import type { z } from 'zod'
import type { session, Session } from '@gantry/contract/auth/session'
import type { Ctx } from '../../kernel/context.ts'
import { findExports } from '../../kernel/find.ts'
import type { OpenedSession } from '../../kernel/sessions.ts'

/** What every way of signing in ends with. */
export interface Login {
  session: Session
  /** Its cookie is the caller's to set: see cookie.ts. */
  opened: OpenedSession
}

/** Another way in than a local password, in `domains/<domain>/<thing>.identity.ts`, exported as `identity`. */
export interface IdentityProvider {
  type: 'LDAP' | 'OAUTH'
  signIn: (ctx: Ctx, given: z.output<typeof session.login.body>) => Promise<Login>
}

/**
 * Where the browser goes after a logout, so that the provider's session ends as well; null where this login has none. In
 * `domains/<domain>/<thing>.logout.ts`, exported as `logoutUrlOf`. Asked while the session is still there; it waits for
 * nobody outside.
 */
export type LogoutUrlOf = (ctx: Ctx, family: string) => Promise<string | null>

const once = <T>(find: () => Promise<T>): (() => Promise<T>) => {
  let found: Promise<T> | undefined
  return () => (found ??= find())
}

export const identityProviders = once(async () =>
  (await findExports<IdentityProvider>('identity', 'identity')).map(({ value }) => value),
)

export const logoutHooks = once(async () =>
  (await findExports<LogoutUrlOf>('logout', 'logoutUrlOf')).map(({ value }) => value),
)
