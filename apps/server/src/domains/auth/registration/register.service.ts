import type { z } from 'zod'
import type { session } from '@gantry/contract/auth/session'
import { brokenConstraint } from '../../../db/constraint.ts'
import { addressKey, hit, hitsOf } from '../../../kernel/counters.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { mustBeGood } from '../password/change-password.service.ts'
import { decisionsChanged } from '../../decisions/public.ts'
import { sendMailToAdministrators } from '../../settings/public.ts'
import { hashPassword } from '../password/password.ts'
import { areWaiting, insertRegistered } from './register.store.ts'
import { joinBy } from '../session/hooks.ts'

/** Attempts per address within the window, whatever their outcome. */
const triesAllowed = 10
const window = 3_600

/** Beyond this nobody reads the list any more, and a flood from many addresses would fill the table. */
const waitingAllowed = 1_000

async function refuseFlood(ctx: Ctx): Promise<void> {
  const key = `register:${addressKey(ctx.ip)}`
  if ((await hit(ctx.db, key, window)) <= triesAllowed) return
  const { seconds } = await hitsOf(ctx.db, key)
  throw new Fault('tooMany', 'register-slowed', { minutes: Math.max(1, Math.ceil(seconds / 60)), seconds })
}

type Input = z.output<typeof session.register.body>

/**
 * Creates an account that an administrator must approve, in the team of a link to join or in none. A name or address that
 * is taken is reported: docs/decisions/0040-signing-in.md.
 */
export async function register(ctx: Ctx, given: Input, link: string | undefined): Promise<null> {
  const { userName, nickname, email, password, rePassword } = given
  if (!ctx.config.registration) throw new Fault('forbidden', 'register-off')
  await refuseFlood(ctx)
  if (rePassword !== undefined && rePassword !== password) throw new Fault('invalid', 'valid-pwd-diff')
  await mustBeGood(password, [userName, nickname, email])
  if (await areWaiting(ctx.db, waitingAllowed)) throw new Fault('tooMany', 'register-full', { seconds: window })
  note(ctx, { object: userName, after: { userName, nickname, email } })
  const passwordHash = await hashPassword(password)
  await inTx(ctx, async (ctx) => {
    const { id } = await insertRegistered(ctx.db, { userName, nickname, email, passwordHash })
    if (link !== undefined && !(await joinBy(ctx, id, link))) throw new Fault('missing', 'join-link-over')
    await decisionsChanged(ctx, null)
    const vars = { userName, email }
    await sendMailToAdministrators(ctx, { template: 'registered', vars, key: `${id}`, path: '/sysconfig/users' })
  })
    .catch(brokenConstraint('account_identity', new Fault('conflict', 'user-name-taken', { name: userName })))
    .catch(brokenConstraint('account_local_email', new Fault('conflict', 'user-email-taken', { email })))
  return null
}
