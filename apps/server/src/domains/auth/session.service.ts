import type { Session } from '@gantry/contract/auth/session'
import { rightsIn } from '../../kernel/access.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { type Caller, refreshSession, switchTeam } from '../../kernel/sessions.ts'
import { setDefaultTeam } from './credentials.store.ts'
import { sessionOf } from './session.read.ts'
import { seenThrough } from './view.read.ts'

/** A new tab's session from the login's cookie. */
export async function refresh(ctx: Ctx, cookie: string | undefined): Promise<Session> {
  const opened = cookie === undefined ? undefined : await refreshSession(ctx, cookie)
  if (!opened) throw new Fault('unauthenticated', 'session-over')
  const session = await sessionOf(ctx.db, opened.accountId, opened)
  return { ...(await seenThrough(ctx.db, session, opened.limit)), token: opened.token }
}

/**
 * Makes a team the one that the user works in, now and at the next login. Administrators and holders of a system role may
 * go into every team; one that they are not a member of is not remembered. Who looks through a role stays in its team.
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
