import type { Ctx } from '../../../kernel/context.ts'
import { type Caller, endSession } from '../../../identity/sessions.ts'
import { logoutHooks } from './hooks.ts'

/** The URL at which the provider of this login ends its own session. A failing hook does not prevent the logout. */
async function logoutUrl(ctx: Ctx, family: string): Promise<string | null> {
  for (const urlOf of await logoutHooks()) {
    try {
      const url = await urlOf(ctx, family)
      if (url !== null) return url
    } catch (error) {
      ctx.log.warn({ err: error }, 'the way to end the session of the provider could not be found')
    }
  }
  return null
}

/** Ends every tab of this login; returns where the browser goes next, if anywhere. */
export async function logout(ctx: Ctx, { session }: Caller): Promise<string | null> {
  if (!session) return null
  const url = await logoutUrl(ctx, session.family)
  await endSession(ctx, session.family)
  return url
}
