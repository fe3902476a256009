import { text } from 'node:stream/consumers'
import { oauth } from '@gantry/contract/oauth/oauth'
import { redirect } from '../../http/reply.ts'
import type { Routes } from '../../http/route.ts'
import { enter } from '../auth/public.ts'
import { attemptCookie } from './attempt.ts'
import { arrive, departure } from './login.service.ts'
import { logoutByProvider } from './logout.service.ts'
import { readSettings, saveSettings, testSettings } from './settings.service.ts'

export const routes: Routes = (route) => {
  route(oauth.login, async (ctx, { cookies }) => {
    const { location, cookie } = await departure(ctx)
    const { name, path, seconds } = attemptCookie
    if (cookie !== undefined) cookies.set(name, cookie, { path, sameSite: 'Lax', maxAgeSeconds: seconds })
    return redirect(location)
  })
  route(oauth.afterAuth, async (ctx, { query, cookies }) => {
    cookies.clear(attemptCookie.name, attemptCookie.path)
    return enter(ctx, cookies, await arrive(ctx, query, cookies.get(attemptCookie.name)))
  })
  route(oauth.get, (ctx) => readSettings(ctx))
  route(oauth.set, (ctx, { body }) => saveSettings(ctx, body))
  route(oauth.test, (ctx, { body }) => testSettings(ctx, body))
  route(oauth.backchannelLogout, async (ctx, { upload }) => logoutByProvider(ctx, await text(upload)))
}
