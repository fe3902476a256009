import type { z } from 'zod'
import type { session } from '@gantry/contract/auth/session'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { openSession } from '../../kernel/sessions.ts'
import { countFailure, refuseSlowed } from './attempts.ts'
import { banInactive, findCredentials, findLocal, inactiveDays, noteLogin } from './credentials.store.ts'
import { identityProviders, type Login } from './hooks.ts'
import { hasHash } from './password.ts'
import { sessionOf } from './session.read.ts'

type Account = NonNullable<Awaited<ReturnType<typeof findCredentials>>>
type Given = z.output<typeof session.login.body>

/**
 * The account whose password this is. Whoever is refused learns nothing and waits as long: one hash and one transaction,
 * whether the name is unknown, the password wrong, or the account banned.
 */
async function identify(ctx: Ctx, { username, password, type }: Given): Promise<Account & { password_hash: string }> {
  // a name with control characters is nobody's, and PostgreSQL refuses some of them
  const known = type === 'IDENTITY' && !/\p{Cc}/u.test(username)
  const account = known ? await findLocal(ctx.db, username.trim()) : undefined
  const hash = account?.password_hash ?? null
  if (account) note(ctx, { object: account.user_name })
  const right = await hasHash(password, hash)
  if (account && hash !== null && right) return { ...account, password_hash: hash }
  await countFailure(ctx, account?.id)
  throw new Fault('invalid', 'login-refused')
}

const banned = {
  unapproved: 'login-unapproved',
  disabled: 'login-disabled',
  locked: 'login-locked',
  inactive: 'login-inactive',
} as const

/** Why the right password is not enough. Told only to who knows it. */
async function refusalOf(ctx: Ctx, accountId: number): Promise<Fault> {
  await banInactive(ctx.db, accountId)
  const status = (await findCredentials(ctx.db, accountId))?.status ?? 'normal'
  return status === 'normal'
    ? new Fault('invalid', 'login-refused')
    : new Fault('invalid', banned[status], { days: inactiveDays })
}

/**
 * Opens a session for an account whose owner has shown who they are. `passwordHash` is the one that was shown to be
 * right; null for who signed in elsewhere.
 */
export async function openLogin(ctx: Ctx, accountId: number, passwordHash: string | null): Promise<Login> {
  const done = await inTx(ctx, async (ctx) => {
    const noted = await noteLogin(ctx.db, accountId, passwordHash)
    if (!noted) return undefined
    const { passwordExpired } = noted
    const session = await sessionOf(ctx.db, accountId, { passwordExpired })
    if (session.teams.length === 0 && session.systemRoles.length === 0 && !session.admin)
      throw new Fault('invalid', 'user-Unknown-team')
    const opened = await openSession(ctx, { accountId, teamId: session.teams[0]?.id ?? null, passwordExpired })
    return { session: { ...session, token: opened.token }, opened }
  })
  if (!done) throw await refusalOf(ctx, accountId)
  return done
}

/** Signs in. */
export async function login(ctx: Ctx, given: Given): Promise<Login> {
  await refuseSlowed(ctx)
  const provider =
    given.type === 'IDENTITY' ? undefined : (await identityProviders()).find(({ type }) => type === given.type)
  if (provider) return provider.signIn(ctx, given)
  const account = await identify(ctx, given)
  return openLogin(ctx, account.id, account.password_hash)
}
