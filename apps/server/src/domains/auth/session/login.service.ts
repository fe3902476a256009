import type { z } from 'zod'
import type { session } from '@gantry/contract/auth/session'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { endReplaced, openSession } from '../../../identity/sessions.ts'
import { countFailure, refuseSlowed } from '../bans/attempts.ts'
import {
  banInactive,
  findCredentials,
  findLocal,
  inactiveDays,
  lockAccount,
  noteLogin,
} from '../password/credentials.store.ts'
import type { Browser, Login } from '../../../identity/sign-in.ts'
import { identityProviders, joinBy } from './hooks.ts'
import { isTrusted, keepBrowser } from '../bans/known-browsers.store.ts'
import { hasHash } from '../password/password.ts'
import { sessionOf } from './session.read.ts'

type Account = NonNullable<Awaited<ReturnType<typeof findCredentials>>>
type Input = z.output<typeof session.login.body>

/**
 * The account that this password belongs to. A refusal reveals nothing and takes the same time: one hash and one
 * transaction, whether the name is unknown, the password wrong, or the account banned.
 */
async function identify(
  ctx: Ctx,
  { username, password, type }: Input,
  browser: Browser | undefined,
): Promise<Account & { password_hash: string }> {
  // no account has a name with control characters, and PostgreSQL refuses some of them
  const known = type === 'IDENTITY' && !/\p{Cc}/u.test(username)
  const account = known ? await findLocal(ctx.db, username.trim()) : undefined
  const hash = account?.password_hash ?? null
  if (account) note(ctx, { object: account.user_name })
  const right = await hasHash(password, hash)
  if (account && hash !== null && right) return { ...account, password_hash: hash }
  await countFailure(ctx, account?.id, browser)
  throw new Fault('invalid', 'login-refused')
}

const banned = {
  unapproved: 'login-unapproved',
  disabled: 'login-disabled',
  locked: 'login-locked',
  inactive: 'login-inactive',
} as const

/** Why the login is refused despite the right password. Only whoever knows the password learns it. */
async function refusalOf(ctx: Ctx, accountId: number): Promise<Fault> {
  await banInactive(ctx.db, accountId)
  const status = (await findCredentials(ctx.db, accountId))?.status ?? 'normal'
  return status === 'normal'
    ? new Fault('invalid', 'login-refused')
    : new Fault('invalid', banned[status], { days: inactiveDays })
}

interface Proof {
  /** The hash that the password matched; null after a login elsewhere. */
  passwordHash: string | null
  browser: Browser | undefined
}

/** Opens a session for an authenticated account. In a browser it replaces the previous one. */
export async function openLogin(ctx: Ctx, accountId: number, { passwordHash, browser }: Proof): Promise<Login> {
  const done = await inTx(ctx, async (ctx): Promise<Login | undefined> => {
    await lockAccount(ctx.db, accountId)
    const trusted = await isTrusted(ctx.db, accountId, browser)
    const noted = await noteLogin(ctx.db, accountId, { passwordHash, trusted })
    if (!noted) return undefined
    const { passwordExpired } = noted
    const isOver = browser?.join !== undefined && !(await joinBy(ctx, accountId, browser.join))
    const session = await sessionOf(ctx.db, accountId, { passwordExpired })
    if (session.teams.length === 0 && session.systemRoles.length === 0 && !session.admin)
      throw new Fault('invalid', isOver ? 'join-link-over' : 'user-Unknown-team')
    const teamId = session.teams[0]?.id ?? null
    if (browser?.login !== undefined) await endReplaced(ctx, browser.login, browser.proof)
    const opened = await openSession(ctx, { accountId, teamId, passwordExpired, proof: browser?.proof })
    const known = browser && (await keepBrowser(ctx.db, accountId, browser, opened.family))
    return { session: { ...session, token: opened.token }, opened, known }
  })
  if (!done) throw await refusalOf(ctx, accountId)
  return done
}

/** Signs in. */
export async function login(ctx: Ctx, given: Input, browser: Browser | undefined): Promise<Login> {
  await refuseSlowed(ctx)
  const provider =
    given.type === 'IDENTITY' ? undefined : (await identityProviders()).find(({ type }) => type === given.type)
  if (provider) return provider.signIn(ctx, given, browser)
  const account = await identify(ctx, given, browser)
  return openLogin(ctx, account.id, { passwordHash: account.password_hash, browser })
}
