import type { Session } from '@gantry/contract/auth/session'
import { membershipOf } from '../../kernel/access.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { type Caller, refreshSession, switchTeam } from '../../kernel/sessions.ts'
import { setDefaultTeam } from './credentials.store.ts'
import { sessionOf } from './session.read.ts'

/** A new tab's session from the login's cookie. */
export async function refresh(ctx: Ctx, cookie: string | undefined): Promise<Session> {
  const opened = cookie === undefined ? undefined : await refreshSession(ctx, cookie)
  if (!opened) throw new Fault('unauthenticated', 'session-over')
  return { ...(await sessionOf(ctx.db, opened.accountId, opened)), token: opened.token }
}

/**
 * Makes a team the one that the user works in, now and at the next login. Administrators may go into every team; one
 * that they are not a member of is not remembered.
 */
export const enterTeam = (ctx: Ctx, caller: Caller, teamId: number): Promise<Session> =>
  inTx(ctx, async (ctx) => {
    const { session, token, actor } = caller
    if (!session || token === undefined) throw new Fault('unauthenticated', 'session-over')
    const member = await membershipOf(ctx.db, actor.id, teamId)
    if (!member && !actor.admin) throw new Fault('forbidden', 'user-team')
    if (member) await setDefaultTeam(ctx.db, actor.id, teamId)
    await switchTeam(ctx, session.family, teamId)
    return { ...(await sessionOf(ctx.db, actor.id, session)), token }
  })
