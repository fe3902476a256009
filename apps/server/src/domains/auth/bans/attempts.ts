import { addressKey, hit, hitsOf } from '../../../kernel/counters.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { sendMail } from '../../settings/public.ts'
import { countWrongPassword, findCredentials } from '../password/credentials.store.ts'
import type { Browser } from '../../../identity/sign-in.ts'
import { publishUsers } from '../session/publish.ts'

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

/**
 * Counts a cookie that opened nothing, apart from wrong passwords: when sessions run out, the tabs of a whole office show old
 * ones, and its people must get in all the same.
 */
export async function countRefusedCookie(ctx: Ctx): Promise<void> {
  const key = `refresh-failed:${addressKey(ctx.ip)}`
  if ((await hit(ctx.db, key, failureWindow)) <= failuresAllowed) return
  const { seconds } = await hitsOf(ctx.db, key)
  throw new Fault('tooMany', 'login-slowed', { seconds: Math.max(1, seconds) })
}

/**
 * Counts a wrong password against the address and, where there is one, the account: for the browser that it knows, or for all
 * that it does not. What is open goes on: see docs/decisions/0080-bans-hit-the-attacker.md.
 */
export const countFailure = (ctx: Ctx, accountId: number | undefined, browser: Browser | undefined): Promise<void> =>
  inTx(ctx, async (ctx) => {
    await hit(ctx.db, `login-failed:${addressKey(ctx.ip)}`, failureWindow)
    const locked = await countWrongPassword(ctx.db, accountId ?? 0, browser)
    if (!locked || accountId === undefined) return
    await publishUsers(ctx)
    const account = await findCredentials(ctx.db, accountId)
    const vars = { userName: account?.user_name ?? '', reason: 'passwords' } as const
    await sendMail(ctx, { to: accountId, template: 'banned', vars, key: ctx.requestId })
  })
