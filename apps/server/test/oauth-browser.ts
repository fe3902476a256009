import { oauth } from '@gantry/contract/oauth/oauth'
import { type OauthSettings } from '@gantry/contract/oauth/provider'
import { attemptCookie } from '../src/domains/oauth/attempt.ts'
import type { TestApp } from './test-app.ts'

export interface OauthDeparture {
  location: URL
  /** Cookie of the attempt; empty if there is none. */
  cookie: string
}

/** A browser that logs in with OAuth, as our server sees it. */
export function oauthBrowser(app: TestApp) {
  const setOut = async (headers: Record<string, string> = {}): Promise<OauthDeparture> => {
    const answer = await app.anonymous.request(oauth.login, {}, headers)
    const given = answer.cookies.find(({ name }) => name === attemptCookie.name)
    return { location: new URL(answer.headers.location ?? '', app.config.publicUrl), cookie: given?.value ?? '' }
  }
  /** Comes back with the provider's parameters, modified by `change`. */
  const arrive = (back: URL, cookie: string, change: Record<string, string | undefined> = {}) => {
    const query = { code: '', ...Object.fromEntries(back.searchParams), ...change }
    return app.anonymous.call(oauth.afterAuth, { query }, cookie ? { cookie: `${attemptCookie.name}=${cookie}` } : {})
  }
  return { setOut, arrive }
}

/** An administrator's settings for a provider. */
export const oauthSettings = (
  client: Pick<OauthSettings, 'issuer' | 'clientId' | 'clientSecret'>,
  change: Partial<OauthSettings> = {},
): OauthSettings => ({
  enabled: true,
  name: 'Company login',
  scopes: 'openid profile email',
  userNameClaim: 'preferred_username',
  nicknameClaim: 'name',
  emailClaim: 'email',
  groupsClaim: 'groups',
  createAtLogin: true,
  singleLogout: true,
  mappings: [],
  ...client,
  ...change,
})
