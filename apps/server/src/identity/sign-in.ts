import type { session, Session } from '@gantry/contract/auth/session'
import type { z } from 'zod'
import type { Ctx } from '../kernel/context.ts'
import type { OpenedSession } from './sessions.ts'

/** What a browser sends about its earlier logins. */
export interface Browser {
  proof: string
  /** The cookie of the login that is open there, valid or not. */
  login: string | undefined
  /** Tokens that identify the browser to users who logged in there before. */
  known: string[]
  /** The token of a link to join a team. */
  join: string | undefined
}

/** The outcome of a login of any kind. The caller sets the cookies. */
export interface Login {
  session: Session
  opened: OpenedSession
  /** The tokens that the browser sends from now on; undefined for a program. */
  known: string[] | undefined
}

/** Another way to log in than a local password. */
export interface IdentityProvider {
  type: 'LDAP' | 'OAUTH'
  signIn: (ctx: Ctx, given: z.output<typeof session.login.body>, browser: Browser | undefined) => Promise<Login>
}

/**
 * Where the browser goes after a logout, so that the provider's session ends as well; null if this login has none.
 * Called before the session ends; makes no outside call.
 */
export type LogoutUrlOf = (ctx: Ctx, family: string) => Promise<string | null>

/** Adds the account to a team by a link to join, and returns the team; undefined if the link is no longer valid. */
export type TakeLink = (ctx: Ctx, accountId: number, token: string) => Promise<number | undefined>
