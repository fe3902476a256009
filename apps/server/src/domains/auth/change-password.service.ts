import { password as passwordRule } from '@gantry/contract/validators'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { endSessions } from '../../kernel/sessions.ts'
import { countFailure } from './attempts.ts'
import { findCredentials, setPassword } from './credentials.store.ts'
import { hashPassword, hasHash } from './password.ts'
import { leastScore, scorePassword } from './strength.ts'

interface Wish {
  oldPassword?: string | undefined
  password: string
  rePassword?: string | undefined
}

/** What the specification asks of a new password, in its words. `about` are words that an attacker tries first. */
export async function mustBeGood(password: string, about: string[]): Promise<void> {
  if (password === '') throw new Fault('invalid', 'valid-new-pwd')
  // the rule's own message tells length from characters
  passwordRule.parse(password)
  if ((await scorePassword(password, about)) < leastScore) throw new Fault('invalid', 'valid-pwd-strenght')
}

/**
 * Changes the caller's own password and ends all of their sessions, this one included. A wrong current password counts
 * as a failed login does.
 */
export async function changePassword(ctx: Ctx, { oldPassword, password, rePassword }: Wish): Promise<void> {
  const account = await findCredentials(ctx.db, ctx.actor.id)
  if (!account) throw new Fault('missing', 'user-missing')
  if (account.type !== 'IDENTITY' || account.password_hash === null)
    throw new Fault('invalid', 'password-elsewhere', { type: account.type })
  if (!oldPassword) throw new Fault('invalid', 'valid-old-pwd')
  if (rePassword !== undefined && rePassword !== password) throw new Fault('invalid', 'valid-pwd-diff')
  if (password === oldPassword) throw new Fault('invalid', 'password-same')
  await mustBeGood(password, [account.user_name, account.nickname, account.email].filter(Boolean))
  if (!(await hasHash(oldPassword, account.password_hash))) {
    await countFailure(ctx, account.id)
    throw new Fault('invalid', 'password-old-wrong')
  }
  const hash = await hashPassword(password)
  await inTx(ctx, async (ctx) => {
    await setPassword(ctx.db, account.id, hash, { initial: false })
    await endSessions(ctx, account.id)
  })
}
