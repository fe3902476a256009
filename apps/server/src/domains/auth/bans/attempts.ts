import { addressKey, hit, hitsOf } from '../../../kernel/counters.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { sendMail } from '../../settings/public.ts'
import { countWrongPassword, findCredentials } from '../password/credentials.store.ts'
import type { Browser } from '../../../identity/sign-in.ts'
import { publishUsers } from '../session/publish.ts'

/** Failures of an address within the window after which it is slowed. */
const failuresAllowed = 100
const failureWindow = 600

/** A slowed address may try once in this many seconds: others who share it with an attacker still get in. */
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
 * Counts an invalid cookie, separately from wrong passwords: when sessions expire, the tabs of a whole office send old
 * ones, and its users must still get in.
 */
export async function countRefusedCookie(ctx: Ctx): Promise<void> {
  const key = `refresh-failed:${addressKey(ctx.ip)}`
  if ((await hit(ctx.db, key, failureWindow)) <= failuresAllowed) return
  const { seconds } = await hitsOf(ctx.db, key)
  throw new Fault('tooMany', 'login-slowed', { seconds: Math.max(1, seconds) })
}

/**
 * Counts a wrong password against the address and, if it exists, the account: for a browser that the account knows, or
 * for all unknown ones together. Open sessions continue: see docs/decisions/0080-bans-hit-the-attacker.md.
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
