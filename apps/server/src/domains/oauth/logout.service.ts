import { createHash } from 'node:crypto'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { hit } from '../../kernel/counters.ts'
import { Fault } from '../../kernel/fault.ts'
import { endSession } from '../../identity/sessions.ts'
import { familiesOf } from './sessions.store.ts'
import { clientOf } from './settings.service.ts'
import { findSettings } from './settings.store.ts'

/** Longer than a logout token is valid. */
const rememberSeconds = 900

/** Ends the logins that the provider's logout token names. A token is valid once. */
export async function logoutByProvider(ctx: Ctx, form: string): Promise<null> {
  const token = new URLSearchParams(form).get('logout_token')
  const settings = await findSettings(ctx.db)
  if (token === null || !settings || settings.issuer === '') throw new Fault('invalid', 'oauth-logout-token')
  const { jti, iss, sub, sid } = await ctx.ports.oidc.readLogoutToken(clientOf(ctx, settings), token)
  const seen = createHash('sha256').update(`${iss}\0${jti}`).digest('base64url')
  return inTx(ctx, async (ctx) => {
    // counted in the same transaction as its effect, so that a failed logout may be repeated
    if ((await hit(ctx.db, `oauth-logout:${seen}`, rememberSeconds)) > 1)
      throw new Fault('invalid', 'oauth-logout-token')
    const families = await familiesOf(ctx.db, { issuer: iss, sub, sid })
    for (const family of families) await endSession(ctx, family)
    note(ctx, { object: sub ?? sid ?? '', after: { sessions: families.length } })
    return null
  })
}
