import type { z } from 'zod'
import type { session } from '@gantry/contract/auth/session'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Caller, endOwnSession, endSessions } from '../../../identity/sessions.ts'
import { lockAccount } from '../password/credentials.store.ts'
import { forgetBrowserOf, forgetOtherBrowsers } from '../bans/known-browsers.store.ts'
import { listSessions } from './sessions.read.ts'

/** Refuses API tokens of teams, which have no login. */
function familyOf({ session }: Caller): string {
  if (!session) throw new Fault('forbidden', 'token-not-here')
  return session.family
}

export const sessionsOf = (ctx: Ctx, caller: Caller): Promise<z.input<typeof session.sessions.data>> =>
  listSessions(ctx.db, ctx.actor.id, familyOf(caller))

/** Ends one of the caller's own logins, and forgets its browser; logins of other users are not found. */
export async function endOne(ctx: Ctx, caller: Caller, family: string): Promise<null> {
  familyOf(caller)
  note(ctx, { object: ctx.actor.name, before: { session: family } })
  return inTx(ctx, async (ctx) => {
    await lockAccount(ctx.db, ctx.actor.id)
    if (!(await endOwnSession(ctx, ctx.actor.id, family))) throw new Fault('missing', 'session-missing')
    await forgetBrowserOf(ctx.db, ctx.actor.id, family)
    return null
  })
}

export async function endOthers(ctx: Ctx, caller: Caller): Promise<null> {
  const family = familyOf(caller)
  note(ctx, { object: ctx.actor.name })
  return inTx(ctx, async (ctx) => {
    await lockAccount(ctx.db, ctx.actor.id)
    await endSessions(ctx, ctx.actor.id, family)
    await forgetOtherBrowsers(ctx.db, ctx.actor.id, family)
    return null
  })
}
