import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { endSessions } from '../../../identity/sessions.ts'
import { findCredentials, setStatus, unban as lift } from '../password/credentials.store.ts'

const mustFind = async (ctx: Ctx, accountId: number) => {
  const account = await findCredentials(ctx.db, accountId)
  if (!account) throw new Fault('missing', 'user-missing')
  return account
}

/**
 * Bans by hand: from the commit on, calls, websockets, terminals and API tokens of the user are refused, and every
 * session is ended for good. The caller checks permissions and that an administrator remains.
 */
export const ban = (ctx: Ctx, accountId: number): Promise<void> =>
  inTx(ctx, async (ctx) => {
    const { user_name: object, status } = await mustFind(ctx, accountId)
    note(ctx, { object, before: { state: status }, after: { state: 'disabled' } })
    await setStatus(ctx.db, accountId, 'disabled')
    await endSessions(ctx, accountId)
  })

/** Restores access: approves, unlocks, lifts any ban. Counters restart from zero, the 90 days from now. */
export const unban = (ctx: Ctx, accountId: number): Promise<void> =>
  inTx(ctx, async (ctx) => {
    const { user_name: object, status } = await mustFind(ctx, accountId)
    note(ctx, { object, before: { state: status }, after: { state: 'normal' } })
    await lift(ctx.db, accountId)
  })
