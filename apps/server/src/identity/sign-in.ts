import type { session, Session } from '@gantry/contract/auth/session'
import type { z } from 'zod'
import type { Ctx } from '../kernel/context.ts'
import type { OpenedSession } from './sessions.ts'

/** What the pages of a browser show of the logins before. */
export interface Browser {
  proof: string
  /** The cookie of the login that is open there, good or not. */
  login: string | undefined
  /** The tokens by which it is known to those who signed in there. */
  known: string[]
}

/** What every way of signing in ends with. Cookies are the caller's to set. */
export interface Login {
  session: Session
  opened: OpenedSession
  /** What the browser shows from now on; a program shows nothing. */
  known: string[] | undefined
}

/** Another way to sign in than a local password. */
export interface IdentityProvider {
  type: 'LDAP' | 'OAUTH'
  signIn: (ctx: Ctx, given: z.output<typeof session.login.body>, browser: Browser | undefined) => Promise<Login>
}

/**
 * Where the browser goes after a logout, so that the provider's session ends as well; null where this login has none.
 * Asked while the session is still there; it waits for nobody outside.
 */
export type LogoutUrlOf = (ctx: Ctx, family: string) => Promise<string | null>
