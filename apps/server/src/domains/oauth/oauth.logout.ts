import type { LogoutUrlOf } from '../auth/public.ts'
import { open } from '../../kernel/secrets.ts'
import { findOauthSession } from './sessions.store.ts'
import { urisOf } from './settings.service.ts'
import { findSettings } from './settings.store.ts'

/** RP-initiated logout. Asks nobody: a provider that is down holds no logout up. */
export const logoutUrlOf: LogoutUrlOf = async (ctx, family) => {
  const session = await findOauthSession(ctx.db, family)
  if (!session || session.endSessionEndpoint === '') return null
  if (!(await findSettings(ctx.db))?.singleLogout) return null
  const url = new URL(session.endSessionEndpoint)
  url.searchParams.set('id_token_hint', open(ctx, session.idToken))
  url.searchParams.set('post_logout_redirect_uri', urisOf(ctx).logoutUri)
  url.searchParams.set('client_id', session.clientId)
  return url.href
}
