import { oauth } from '@gantry/contract/oauth/oauth'
import { type OauthSettings } from '@gantry/contract/oauth/provider'
import { attemptCookie } from '../src/domains/oauth/attempt.ts'
import type { TestApp } from './test-app.ts'

export interface OauthDeparture {
  location: URL
  /** Of the attempt; empty where there is none. */
  cookie: string
}

/** What a browser does to sign in with OAuth, on our side of it. */
export function oauthBrowser(app: TestApp) {
  const setOut = async (headers: Record<string, string> = {}): Promise<OauthDeparture> => {
    const answer = await app.anonymous.request(oauth.login, {}, headers)
    const given = answer.cookies.find(({ name }) => name === attemptCookie.name)
    return { location: new URL(answer.headers.location ?? '', app.config.publicUrl), cookie: given?.value ?? '' }
  }
  /** Comes back with what the provider put into the address, but for `change`. */
  const arrive = (back: URL, cookie: string, change: Record<string, string | undefined> = {}) => {
    const query = { code: '', ...Object.fromEntries(back.searchParams), ...change }
    return app.anonymous.call(oauth.afterAuth, { query }, cookie ? { cookie: `${attemptCookie.name}=${cookie}` } : {})
  }
  return { setOut, arrive }
}

/** Settings for a provider, as an administrator would leave them. */
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
