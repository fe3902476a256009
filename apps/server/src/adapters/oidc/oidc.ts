import { createRemoteJWKSet, customFetch as keyFetch, decodeJwt, jwtVerify, type RemoteJWKSet } from 'jose'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  type ClientMetadata,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  Configuration,
  customFetch,
  discovery,
  fetchUserInfo,
  genericGrantRequest,
  None,
  type ServerMetadata,
} from 'openid-client'
import { Fault } from '../../kernel/fault.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { oidcFault, refusesClient } from './faults.ts'
import { exchangeMs, fetchThrough } from './fetch.ts'

/** What we are to a provider of OpenID Connect. */
export interface OidcClient {
  issuer: string
  clientId: string
  /** Empty: a public client, which shows nothing but PKCE's verifier. */
  clientSecret: string
}

/** What ties an answer of the provider to the browser that asked. */
export interface Attempt {
  state: string
  nonce: string
  verifier: string
}

export type Claims = Record<string, unknown>

export interface SignedIn {
  /** Of the ID token, whose signature, issuer, audience, nonce and times are right. */
  claims: Claims & { iss: string; sub: string }
  idToken: string
  endSessionEndpoint: string | null
  /** More about the same subject, where the provider tells more. */
  userInfo: () => Promise<Claims>
}

export interface ProviderFacts {
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  endSessionEndpoint: string | null
  /** It says itself that it knows PKCE with S256; it is sent in any case. */
  pkce: boolean
  /** Signing keys. */
  keys: number
}

export interface LogoutToken {
  iss: string
  jti: string
  sub: string | undefined
  sid: string | undefined
}

/** A provider of OpenID Connect. Every failure is a Fault whose words name the cause. */
export interface Oidc {
  /** Asks it anew, and shows it the client's id and secret. */
  inspect: (client: OidcClient, redirectUri: string) => Promise<ProviderFacts>
  authorizationUrl: (
    client: OidcClient,
    wanted: { redirectUri: string; scopes: string; attempt: Attempt },
  ) => Promise<string>
  /** `answer` is the query that the browser came back with. */
  exchange: (
    client: OidcClient,
    given: { redirectUri: string; answer: Record<string, string>; attempt: Attempt },
  ) => Promise<SignedIn>
  /** OpenID Connect Back-Channel Logout 1.0, section 2.6, but for the replay, which is the caller's to refuse. */
  readLogoutToken: (client: OidcClient, token: string) => Promise<LogoutToken>
}

/** Clocks of providers are off by so much. */
const leewaySeconds = 60
/** Discovery and keys are asked again after so long; a key that is not known, at most once a minute. */
const freshMs = 600_000
const keyCooldownMs = 60_000
/** Nobody is sent to a provider that has not been seen alive for longer: the browser's error page would be all they get. */
const seenAliveMs = 15_000
/** A logout token is acted on at once or not at all. */
const logoutTokenAge = '10 minutes'

/** Nothing that a client's secret could sign: whoever knows it could make themselves anyone. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

interface Provider {
  metadata: ServerMetadata
  /** One for each way of showing the secret, the likelier one first. */
  ways: Way[]
  keys: RemoteJWKSet
}

interface Way {
  method: string
  config: Configuration
}

/** A provider that says nothing about it takes HTTP Basic; some refuse the one that the client was not registered with. */
function methodsOf(
  { clientSecret }: OidcClient,
  { token_endpoint_auth_methods_supported: offered = ['client_secret_basic'] }: ServerMetadata,
): { method: string; auth: ClientAuth }[] {
  if (clientSecret === '') return [{ method: 'none', auth: None() }]
  const post = { method: 'client_secret_post', auth: ClientSecretPost(clientSecret) }
  const basic = { method: 'client_secret_basic', auth: ClientSecretBasic(clientSecret) }
  const ways = [basic, post].filter(({ method }) => offered.includes(method))
  return ways.length > 0 ? ways : [post]
}

const same = (a: OidcClient, b: OidcClient): boolean =>
  a.issuer === b.issuer && a.clientId === b.clientId && a.clientSecret === b.clientSecret

const hasText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Puts the way that works first. */
const preferred = (ways: Way[], method: string | undefined): void =>
  void ways.sort((a, b) => Number(b.method === method) - Number(a.method === method))

const webUrl = (url: string | undefined): string | null => {
  const parsed = url === undefined ? null : URL.parse(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : null
}

export function createOidc(outbound: Outbound): Oidc {
  const fetch = fetchThrough(outbound)

  /** `before` is what was known of the same provider: keys that were read, the way of showing the secret that it took. */
  async function discover(client: OidcClient, before?: Provider): Promise<Provider> {
    const insecure = client.issuer.startsWith('http:')
    const none = new Fault('badGateway', 'oauth-no-provider', { issuer: client.issuer })
    const found = await discovery(new URL(client.issuer), client.clientId, {}, None(), {
      [customFetch]: fetch,
      // our own limit is the one that speaks
      timeout: (exchangeMs + 1_000) / 1_000,
      execute: insecure ? [allowInsecureRequests] : [],
    }).catch((error: unknown) => {
      throw oidcFault(error, client.issuer, none)
    })
    const metadata = found.serverMetadata()
    if (!metadata.authorization_endpoint || !metadata.token_endpoint || !metadata.jwks_uri) throw none
    const about: Partial<ClientMetadata> = {
      [clockTolerance]: leewaySeconds,
      ...(client.clientSecret === '' ? {} : { client_secret: client.clientSecret }),
    }
    const ways = methodsOf(client, metadata).map(({ method, auth }) => {
      const config = new Configuration(metadata, client.clientId, about, auth)
      config[customFetch] = fetch
      config.timeout = (exchangeMs + 1_000) / 1_000
      if (insecure) allowInsecureRequests(config)
      return { method, config }
    })
    preferred(ways, before?.ways[0]?.method)
    if (before && before.metadata.jwks_uri === metadata.jwks_uri) return { metadata, ways, keys: before.keys }
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), {
      [keyFetch]: (url, init) => fetch(url, { ...init, headers: Object.fromEntries(init.headers), body: undefined }),
      cooldownDuration: keyCooldownMs,
      cacheMaxAge: freshMs,
      timeoutDuration: exchangeMs + 1_000,
    })
    return { metadata, ways, keys }
  }

  let known: { client: OidcClient; at: number; provider: Provider } | undefined
  let asking: { client: OidcClient; provider: Promise<Provider> } | undefined

  /** Whoever comes while it is being asked waits for the same answer; a failure is not kept. */
  function providerOf(client: OidcClient, maxAge = freshMs): Promise<Provider> {
    const before = known && same(known.client, client) ? known : undefined
    if (before && Date.now() - before.at < maxAge) return Promise.resolve(before.provider)
    if (asking && same(asking.client, client)) return asking.provider
    const provider = discover(client, before?.provider)
    const question = { client, provider }
    asking = question
    const answered = () => {
      if (asking === question) asking = undefined
    }
    provider.then((found) => {
      known = { client, at: Date.now(), provider: found }
      answered()
    }, answered)
    return provider
  }

  /** Runs `work` with each way of showing the secret until one is not refused, and begins with that one from then on. */
  async function showing<T>({ ways }: Provider, work: (way: Configuration) => Promise<T>): Promise<T> {
    const order = [...ways]
    for (const [at, { method, config }] of order.entries()) {
      try {
        const done = await work(config)
        preferred(ways, method)
        return done
      } catch (error) {
        if (!refusesClient(error) || at === order.length - 1) throw error
      }
    }
    throw new Error('a client has no way of showing itself')
  }

  const speaking = async <T>(client: OidcClient, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw oidcFault(error, client.issuer, new Fault('invalid', 'oauth-answer'))
    }
  }

  return {
    inspect: (client, redirectUri) =>
      speaking(client, async () => {
        const provider = await discover(client)
        const { metadata, keys } = provider
        await keys.reload()
        // a code that nobody was given: who knows the client says so, who does not refuses the client
        const question = { code: 'gantry-settings', redirect_uri: redirectUri, code_verifier: 'x'.repeat(43) }
        await showing(provider, (way) => genericGrantRequest(way, 'authorization_code', question)).catch(
          (error: unknown) => {
            if (refusesClient(error)) throw error
          },
        )
        return {
          issuer: metadata.issuer,
          authorizationEndpoint: metadata.authorization_endpoint ?? '',
          tokenEndpoint: metadata.token_endpoint ?? '',
          endSessionEndpoint: webUrl(metadata.end_session_endpoint),
          pkce: metadata.code_challenge_methods_supported?.includes('S256') ?? false,
          keys: keys.jwks()?.keys.filter(({ use }) => use !== 'enc').length ?? 0,
        }
      }),

    authorizationUrl: (client, { redirectUri, scopes, attempt }) =>
      speaking(client, async () => {
        const { ways } = await providerOf(client, seenAliveMs)
        const [way] = ways
        if (!way) throw new Error('a client has no way of showing itself')
        return buildAuthorizationUrl(way.config, {
          redirect_uri: redirectUri,
          scope: scopes,
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
          code_challenge_method: 'S256',
        }).href
      }),

    exchange: (client, { redirectUri, answer, attempt }) =>
      speaking(client, async () => {
        const provider = await providerOf(client)
        const { metadata, keys } = provider
        const back = new URL(redirectUri)
        back.search = new URLSearchParams(answer).toString()
        const { tokens, way } = await showing(provider, async (way) => ({
          way,
          tokens: await authorizationCodeGrant(way, back, {
            expectedState: attempt.state,
            expectedNonce: attempt.nonce,
            pkceCodeVerifier: attempt.verifier,
            idTokenExpected: true,
          }),
        }))
        const claims = tokens.claims()
        if (!claims || !tokens.id_token) throw new Fault('invalid', 'oauth-answer')
        await jwtVerify(tokens.id_token, keys, { algorithms, clockTolerance: leewaySeconds })
        return {
          claims,
          idToken: tokens.id_token,
          endSessionEndpoint: webUrl(metadata.end_session_endpoint),
          userInfo: () =>
            metadata.userinfo_endpoint === undefined
              ? Promise.resolve({})
              : speaking(client, () => fetchUserInfo(way, tokens.access_token, claims.sub)),
        }
      }),

    readLogoutToken: (client, token) =>
      speaking(client, async () => {
        // nobody makes us ask the provider about what does not even claim to be its
        if (decodeJwt(token).iss !== client.issuer) throw new Fault('invalid', 'oauth-token-claim', { claim: 'iss' })
        const { metadata, keys } = await providerOf(client)
        const { payload } = await jwtVerify(token, keys, {
          algorithms,
          issuer: metadata.issuer,
          audience: client.clientId,
          clockTolerance: leewaySeconds,
          maxTokenAge: logoutTokenAge,
          requiredClaims: ['jti', 'events'],
        })
        const { jti, sub, sid, events, iss } = payload
        const refuse = (claim: string) => new Fault('invalid', 'oauth-token-claim', { claim })
        if (typeof events !== 'object' || events === null || !Object.hasOwn(events, logoutEvent)) throw refuse('events')
        if (payload['nonce'] !== undefined) throw refuse('nonce')
        if (!hasText(jti)) throw refuse('jti')
        if (!hasText(sub) && !hasText(sid)) throw refuse('sub')
        return {
          iss: iss ?? metadata.issuer,
          jti,
          sub: hasText(sub) ? sub : undefined,
          sid: hasText(sid) ? sid : undefined,
        }
      }),
  }
}
