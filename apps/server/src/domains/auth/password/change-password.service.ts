import { password as passwordRule } from '@gantry/contract/validators'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { hit } from '../../../kernel/counters.ts'
import { Fault } from '../../../kernel/fault.ts'
import { endSession, endSessions, sessionDays } from '../../../identity/sessions.ts'
import { countFailure } from '../bans/attempts.ts'
import { findCredentials, setPassword } from './credentials.store.ts'
import { hashPassword, hasHash } from './password.ts'
import { readPolicy } from '../policy/policy.store.ts'
import { leastScore, scorePassword } from './strength.ts'
import { publishUsers } from '../session/publish.ts'

interface Input {
  oldPassword?: string | undefined
  password: string
  rePassword?: string | undefined
}

/** The specification's rules for a new password. `about` are words that an attacker tries first. */
export async function mustBeGood(password: string, about: string[]): Promise<void> {
  if (password === '') throw new Fault('invalid', 'valid-new-pwd')
  // the rule's own message distinguishes length from characters
  passwordRule.parse(password)
  if ((await scorePassword(password, about)) < leastScore) throw new Fault('invalid', 'valid-pwd-strenght')
}

/**
 * Whether the current password is right. A wrong one counts as at a login; and because a lock ends no session, too many
 * end this one, so that whoever took it over cannot go on guessing. Every attempt is counted before it is checked,
 * however many are concurrent.
 */
async function isCurrent(
  ctx: Ctx,
  given: string,
  { id, password_hash }: { id: number; password_hash: string },
  family: string,
): Promise<boolean> {
  const { retries } = await readPolicy(ctx.db)
  const tries = await hit(ctx.db, `password-tries:${family}`, sessionDays * 86_400)
  if (tries > retries + 1) {
    await endSession(ctx, family)
    throw new Fault('unauthenticated', 'session-over')
  }
  if (await hasHash(given, password_hash)) return true
  await countFailure(ctx, id, undefined)
  if (tries > retries) await endSession(ctx, family)
  return false
}

/** Changes the caller's own password and ends all of their sessions, this one included. */
export async function changePassword(
  ctx: Ctx,
  { oldPassword, password, rePassword }: Input,
  family: string,
): Promise<void> {
  const account = await findCredentials(ctx.db, ctx.actor.id)
  if (!account) throw new Fault('missing', 'user-missing')
  if (account.type !== 'IDENTITY' || account.password_hash === null)
    throw new Fault('invalid', 'password-elsewhere', { type: account.type })
  if (!oldPassword) throw new Fault('invalid', 'valid-old-pwd')
  if (rePassword !== undefined && rePassword !== password) throw new Fault('invalid', 'valid-pwd-diff')
  if (password === oldPassword) throw new Fault('invalid', 'password-same')
  await mustBeGood(password, [account.user_name, account.nickname, account.email].filter(Boolean))
  const current = { id: account.id, password_hash: account.password_hash }
  if (!(await isCurrent(ctx, oldPassword, current, family))) throw new Fault('invalid', 'password-old-wrong')
  const hash = await hashPassword(password)
  await inTx(ctx, async (ctx) => {
    await setPassword(ctx.db, account.id, hash, { initial: false })
    await endSessions(ctx, account.id)
    await publishUsers(ctx)
  })
}
