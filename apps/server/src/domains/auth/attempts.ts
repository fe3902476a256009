import { addressKey } from '../../kernel/address-key.ts'
import { hit, hitsOf } from '../../kernel/counters.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { endSessions } from '../../kernel/sessions.ts'
import { sendMail } from '../settings/public.ts'
import { countWrongPassword, findCredentials } from './credentials.store.ts'
import { tellUsers } from './told.ts'

/** Where an address is slowed: so many failures within so many seconds. */
const failuresAllowed = 100
const failureWindow = 600

/** A slowed address may try once in so many seconds: whoever shares it with an attacker still gets in. */
const slowedPause = 5

/** Throws 429 where the caller's address has failed too often; an address is never banned. */
export async function refuseSlowed(ctx: Ctx): Promise<void> {
  const address = addressKey(ctx.ip)
  const failed = await hitsOf(ctx.db, `login-failed:${address}`)
  if (failed.hits < failuresAllowed) return
  const key = `login-slowed:${address}`
  if ((await hit(ctx.db, key, slowedPause)) === 1) return
  const { seconds } = await hitsOf(ctx.db, key)
  throw new Fault('tooMany', 'login-slowed', { seconds: Math.max(1, seconds) })
}

/** Counts a wrong password against the address and, where there is one, the account. */
export const countFailure = (ctx: Ctx, accountId: number | undefined): Promise<void> =>
  inTx(ctx, async (ctx) => {
    await hit(ctx.db, `login-failed:${addressKey(ctx.ip)}`, failureWindow)
    // whoever is locked out is out everywhere, and stays so when the lock is lifted
    const locked = await countWrongPassword(ctx.db, accountId ?? 0)
    if (!locked || accountId === undefined) return
    await endSessions(ctx, accountId)
    await tellUsers(ctx)
    const account = await findCredentials(ctx.db, accountId)
    const vars = { userName: account?.user_name ?? '', reason: 'passwords' } as const
    await sendMail(ctx, { to: accountId, template: 'banned', vars, key: ctx.requestId })
  })
