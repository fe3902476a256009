import type { Session } from '@gantry/contract/auth/session'
import { rightsIn } from '../../../identity/access.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Caller, refreshSession, switchTeam } from '../../../identity/sessions.ts'
import { countRefusedCookie } from '../bans/attempts.ts'
import { setDefaultTeam } from '../password/credentials.store.ts'
import { sessionOf } from './session.read.ts'
import { seenThrough } from './view.read.ts'

/**
 * A new tab's session for the login's cookie and the proof of its page. Anything else gets the same answer, and counts
 * against the address.
 */
export async function refresh(ctx: Ctx, cookie = '', proof = ''): Promise<Session> {
  const opened = await refreshSession(ctx, cookie, proof)
  if (!opened) {
    if (cookie !== '' || proof !== '') await countRefusedCookie(ctx)
    throw new Fault('unauthenticated', 'session-over')
  }
  const session = await sessionOf(ctx.db, opened.accountId, opened)
  return { ...(await seenThrough(ctx.db, session, opened.limit)), token: opened.token }
}

/**
 * Sets the team that the user works in, now and at the next login. Administrators and holders of a system role may
 * enter every team; a team without membership is not remembered. A view as a role stays in its team.
 */
export const enterTeam = (ctx: Ctx, caller: Caller, teamId: number): Promise<Session> =>
  inTx(ctx, async (ctx) => {
    const { session, token, actor } = caller
    if (!session || token === undefined) throw new Fault('unauthenticated', 'session-over')
    const rights = await rightsIn({ db: ctx.db, actor }, teamId)
    if (!rights) throw new Fault('forbidden', 'user-team')
    if (rights.member && !actor.limit) await setDefaultTeam(ctx.db, actor.id, teamId)
    await switchTeam(ctx, session.family, teamId)
    return { ...(await seenThrough(ctx.db, await sessionOf(ctx.db, actor.id, session), actor.limit)), token }
  })
