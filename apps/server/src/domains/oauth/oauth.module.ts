import { text } from 'node:stream/consumers'
import { oauth } from '@gantry/contract/oauth/oauth'
import { oauthProvider } from '@gantry/contract/oauth/provider'
import { redirect } from '../../http/reply.ts'
import { open } from '../../kernel/secrets/secrets.ts'
import { defineModule } from '../../module.ts'
import { browserOf, enter } from '../auth/public.ts'
import { signInOf } from './accounts.store.ts'
import { attemptCookie } from './attempt.ts'
import { arrive, departure } from './login.service.ts'
import { logoutByProvider } from './logout.service.ts'
import { findOauthSession } from './sessions.store.ts'
import { readSettings, saveSettings, testSettings, urisOf } from './settings.service.ts'
import { findSettings } from './settings.store.ts'

export const module = defineModule({
  routes(route) {
    route(oauth.login, async (ctx, { cookies }) => {
      const { location, cookie } = await departure(ctx)
      const { name, path, seconds } = attemptCookie
      if (cookie !== undefined) cookies.set(name, cookie, { path, sameSite: 'Lax', maxAgeSeconds: seconds })
      return redirect(location)
    })
    route(oauth.afterAuth, async (ctx, { query, cookies, header }) => {
      cookies.clear(attemptCookie.name, attemptCookie.path)
      const came = { cookie: cookies.get(attemptCookie.name), browser: browserOf({ cookies, header }) }
      return enter(ctx, cookies, await arrive(ctx, query, came))
    })
    route(oauthProvider.get, (ctx) => readSettings(ctx))
    route(oauthProvider.set, (ctx, { body }) => saveSettings(ctx, body))
    route(oauthProvider.test, (ctx, { body }) => testSettings(ctx, body))
    route(oauthProvider.signIn, async (ctx, { params }) => (await signInOf(ctx.db, params.id)) ?? null)
    route(oauth.backchannelLogout, async (ctx, { upload }) => logoutByProvider(ctx, await text(upload)))
  },
  /** RP-initiated logout. Makes no call, so that a provider that is down does not delay a logout. */
  onLogout: async (ctx, family) => {
    const session = await findOauthSession(ctx.db, family)
    if (!session || session.endSessionEndpoint === '') return null
    if (!(await findSettings(ctx.db))?.singleLogout) return null
    const url = new URL(session.endSessionEndpoint)
    url.searchParams.set('id_token_hint', open(ctx, session.idToken))
    url.searchParams.set('post_logout_redirect_uri', urisOf(ctx).logoutUri)
    url.searchParams.set('client_id', session.clientId)
    return url.href
  },
})
