import { createRemoteJWKSet, customFetch as keyFetch, type RemoteJWKSet } from 'jose'
import {
  allowInsecureRequests,
  type ClientAuth,
  type ClientMetadata,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  Configuration,
  customFetch,
  discovery,
  None,
  type ServerMetadata,
} from 'openid-client'
import { Fault } from '../../kernel/fault.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { oidcFault, refusesClient } from './faults.ts'
import { exchangeMs, fetchThrough } from './fetch.ts'

/** This client's registration at an OpenID Connect provider. */
export interface OidcClient {
  issuer: string
  clientId: string
  /** Empty for a public client, which only sends PKCE's verifier. */
  clientSecret: string
}

/** Tolerance for the clocks of providers. */
export const leewaySeconds = 60
/** Discovery and keys are refreshed after this time; for an unknown key, at most once a minute. */
const freshMs = 600_000
const keyCooldownMs = 60_000

export interface Provider {
  metadata: ServerMetadata
  /** One configuration per client authentication method, the likelier one first. */
  ways: Dialect[]
  keys: RemoteJWKSet
}

interface Dialect {
  method: string
  config: Configuration
}

/** A provider that declares no method supports HTTP Basic; some refuse any method but the registered one. */
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

/** Puts the method that works first. */
const preferred = (ways: Dialect[], method: string | undefined): void =>
  void ways.sort((a, b) => Number(b.method === method) - Number(a.method === method))

/** Runs `work` with each authentication method until one is not refused; later calls begin with that one. */
export async function showing<T>({ ways }: Provider, work: (way: Configuration) => Promise<T>): Promise<T> {
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

export interface Providers {
  /** Reads the provider's metadata again. */
  ask: (client: OidcClient) => Promise<Provider>
  /** The provider, cached for at most `maxAge` milliseconds; default: ten minutes. */
  of: (client: OidcClient, maxAge?: number) => Promise<Provider>
}

export function openProviders(outbound: Outbound): Providers {
  const fetch = fetchThrough(outbound)

  /** `before` is what is known about the same provider: its keys, and the method that it accepted. */
  async function discover(client: OidcClient, before?: Provider): Promise<Provider> {
    const insecure = client.issuer.startsWith('http:')
    const none = new Fault('badGateway', 'oauth-no-provider', { issuer: client.issuer })
    const found = await discovery(new URL(client.issuer), client.clientId, {}, None(), {
      [customFetch]: fetch,
      // our own, shorter timeout reports the failure
      timeout: (exchangeMs + 1_000) / 1_000,
      execute: insecure ? [allowInsecureRequests] : [],
    }).catch((error: unknown) => {
      throw oidcFault(error, client, none)
    })
    const metadata = found.serverMetadata()
    if (!metadata.authorization_endpoint || !metadata.token_endpoint || !metadata.jwks_uri) throw none
    if (!insecure && !metadata.jwks_uri.startsWith('https:')) throw none
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

  /** Concurrent callers share one request; a failure is not cached. */
  function of(client: OidcClient, maxAge = freshMs): Promise<Provider> {
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

  return { ask: (client) => discover(client), of }
}
