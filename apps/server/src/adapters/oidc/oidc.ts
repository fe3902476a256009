import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  fetchUserInfo,
  genericGrantRequest,
} from 'openid-client'
import { Fault } from '../../kernel/fault.ts'
import type { Outbound } from '../outbound/outbound.ts'
import {
  algorithmFault,
  algorithms,
  type Exchange,
  isSubject,
  namesRedirect,
  oidcFault,
  refusesCodeAlone,
} from './faults.ts'
import { exchangeMs } from './fetch.ts'
import { leewaySeconds, type OidcClient, openProviders, showing } from './provider.ts'

/** Binds an answer of the provider to the browser that started the login. */
export interface Attempt {
  state: string
  nonce: string
  verifier: string
}

export type Claims = Record<string, unknown>

export interface SignedIn {
  /** From the ID token, whose signature, issuer, audience, nonce and times are verified. */
  claims: Claims & { iss: string; sub: string }
  idToken: string
  endSessionEndpoint: string | null
  /** More claims about the same subject, if the provider has any. */
  userInfo: () => Promise<Claims>
}

export interface ProviderFacts {
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  endSessionEndpoint: string | null
  /** Whether it declares support of PKCE with S256; PKCE is sent in any case. */
  pkce: boolean
  /** Number of signing keys. */
  keys: number
}

export interface LogoutToken {
  iss: string
  jti: string
  sub: string | undefined
  sid: string | undefined
}

/** OpenID Connect providers. Every failure is a Fault that names the cause. */
export interface Oidc {
  /** Reads the provider's metadata again, and sends it the client's id and secret. */
  inspect: (client: OidcClient, redirectUri: string) => Promise<ProviderFacts>
  authorizationUrl: (
    client: OidcClient,
    wanted: { redirectUri: string; scopes: string; attempt: Attempt },
  ) => Promise<string>
  /** `answer` is the query that the browser returned with. */
  exchange: (
    client: OidcClient,
    given: { redirectUri: string; answer: Record<string, string>; attempt: Attempt },
  ) => Promise<SignedIn>
  /** By OpenID Connect Back-Channel Logout 1.0, section 2.6, except replay, which the caller refuses. */
  readLogoutToken: (client: OidcClient, token: string) => Promise<LogoutToken>
}

/**
 * Users are only sent to a provider that answered within this time: otherwise they would get the browser's error page.
 */
const seenAliveMs = 15_000
/** Older logout tokens are refused. */
const logoutTokenAge = '10 minutes'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

const hasText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const webUrl = (url: string | undefined): string | null => {
  const parsed = url === undefined ? null : URL.parse(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : null
}

/** The parameters of PKCE. */
const challengeOf = async (verifier: string) => ({
  code_challenge: await calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})

export function createOidc(outbound: Outbound): Oidc {
  const providers = openProviders(outbound)

  const speaking = async <T>(exchange: Exchange, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw oidcFault(error, exchange, new Fault('invalid', 'oauth-answer'))
    }
  }

  /**
   * Requests the login page like a browser, because most providers refuse an unknown redirect URI only there, on a page
   * of their own. A login page that only browsers reach counts as no refusal.
   */
  async function mustKnowRedirect(config: Configuration, redirectUri: string): Promise<void> {
    const url = buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid',
      ...(await challengeOf('x')),
    })
    const answer = await outbound
      .requestText({ url: url.href, method: 'GET', timeout: exchangeMs, maxBytes: 1_048_576, redirect: 'manual' })
      .catch(() => undefined)
    if (answer && answer.status >= 400 && namesRedirect(answer.text))
      throw new Fault('invalid', 'oauth-redirect-refused', { redirectUri, problem: `HTTP ${answer.status}` })
  }

  return {
    inspect: (client, redirectUri) =>
      speaking({ ...client, redirectUri, endpoint: 'token' }, async () => {
        const provider = await providers.ask(client)
        const { metadata, keys, ways } = provider
        await keys.reload()
        const offered = metadata.id_token_signing_alg_values_supported ?? algorithms
        if (!offered.some((one) => algorithms.includes(one))) throw algorithmFault(offered.join(', '))
        // an invalid code: a provider that accepts the client refuses the code, and one that does not refuses the
        // client
        const question = { code: 'gantry-settings', redirect_uri: redirectUri, code_verifier: 'x'.repeat(43) }
        await showing(provider, (way) => genericGrantRequest(way, 'authorization_code', question)).catch(
          (error: unknown) => {
            if (!refusesCodeAlone(error)) throw error
          },
        )
        for (const { config } of ways.slice(0, 1)) await mustKnowRedirect(config, redirectUri)
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
        const { ways } = await providers.of(client, seenAliveMs)
        const [way] = ways
        if (!way) throw new Error('a client has no way of showing itself')
        return buildAuthorizationUrl(way.config, {
          redirect_uri: redirectUri,
          scope: scopes,
          state: attempt.state,
          nonce: attempt.nonce,
          ...(await challengeOf(attempt.verifier)),
        }).href
      }),

    exchange: (client, { redirectUri, answer, attempt }) =>
      speaking({ ...client, redirectUri, endpoint: 'token' }, async () => {
        const provider = await providers.of(client)
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
        if (!isSubject(claims.sub)) throw new Fault('invalid', 'oauth-token-subject')
        const { alg = '' } = decodeProtectedHeader(tokens.id_token)
        if (!algorithms.includes(alg)) throw algorithmFault(alg)
        await jwtVerify(tokens.id_token, keys, { algorithms, clockTolerance: leewaySeconds })
        return {
          claims,
          idToken: tokens.id_token,
          endSessionEndpoint: webUrl(metadata.end_session_endpoint),
          userInfo: () =>
            metadata.userinfo_endpoint === undefined
              ? Promise.resolve({})
              : speaking({ ...client, endpoint: 'userinfo' }, () =>
                  fetchUserInfo(way, tokens.access_token, claims.sub),
                ),
        }
      }),

    readLogoutToken: (client, token) =>
      speaking(client, async () => {
        // a token of another issuer causes no request to the provider
        if (decodeJwt(token).iss !== client.issuer) throw new Fault('invalid', 'oauth-token-claim', { claim: 'iss' })
        const { metadata, keys } = await providers.of(client)
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
