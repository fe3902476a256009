import { createHash } from 'node:crypto'
import type { RegistryRequest } from '@gantry/oci/call'
import type { SignInFailure, TokenAnswer } from '@gantry/oci/outcome'
import { signedIn, resolveWithin, type Account, type Grant } from '@gantry/oci/sign-in'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { Fault } from '../../kernel/fault.ts'
import { textOf } from '../outbound/body.ts'
import type { Outbound, OutboundResponse } from '../outbound/outbound.ts'
import { createBreakers } from '../outbound/resting.ts'
import { retried } from '../outbound/retried.ts'

/** A registry and its credentials. `url` is its origin, with or without a trailing `/v2/`. */
export interface RegistryAccess extends Account {
  url: string
  /** An existing bearer token; then no other is requested. */
  token?: string | undefined
  /** PEM of its certificate's authority, trusted besides the usual ones; empty: none. */
  ca?: string | undefined
}

export interface RegistryCall extends RegistryRequest {
  /** The scope of the token: `repository:<name>:pull,push`; empty for none. */
  scope: string
  timeout?: number
  /** Milliseconds for all attempts together, for lists that a user waits for. */
  within?: number | undefined
  maxBytes?: number
  signal?: AbortSignal | undefined
}

export interface Answer {
  status: number
  headers: Record<string, string>
  text: string
}

export interface Sessions {
  /** One authenticated call. Reads are tried three times; a registry that keeps failing is not asked for a while. */
  call(access: RegistryAccess, call: RegistryCall): Promise<Answer>
  /** Like `call`, but the body is not read, and 3xx are answers. */
  open(access: RegistryAccess, call: RegistryCall): Promise<OutboundResponse>
}

export interface SessionSettings {
  outbound: Pick<Outbound, 'request' | 'requestText'>
  /** Milliseconds before the second, third … attempt, before jitter. Default: two more attempts. */
  pauses?: readonly number[]
  /** Whether a registry that keeps failing is not asked for a while. Not so where a user is waiting at a form. */
  rests?: boolean
  now?: () => number
}

const transient: ReadonlySet<PhraseKey> = new Set<PhraseKey>([
  'outbound-unreachable',
  'outbound-timeout',
  'outbound-broken',
  'outbound-not-json',
  'registry-error',
  'registry-token-error',
  'registry-busy',
  'retry-exceeded',
])
const isTransient = ({ key }: Fault): boolean => transient.has(key)

export function originOf(access: RegistryAccess): URL {
  const url = new URL(URL.canParse(access.url) ? access.url : 'invalid:')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Fault('invalid', 'registry-url-invalid')
  if (!/^\/?(v2\/?)?$/.test(url.pathname) || url.search !== '') throw new Fault('invalid', 'registry-url-invalid')
  return new URL(url.origin)
}

export function createSessions({
  outbound,
  pauses = [300, 1200],
  rests = true,
  now = Date.now,
}: SessionSettings): Sessions {
  /** Bearer tokens, and headers of registries that require basic, by registry, account and scope. */
  const grants = new Map<string, { header: string; until: number }>()
  const { unlessResting } = createBreakers({ says: 'registry-resting', passing: isTransient, now, rests })

  const grantKey = ({ username, password }: RegistryAccess, origin: URL, scope: string): string =>
    createHash('sha256')
      .update(JSON.stringify([origin.origin, username, password, scope]))
      .digest('base64')

  function remember(key: string, grant: Grant | undefined): void {
    grants.delete(key)
    if (grant === undefined || grant.seconds <= 0) return
    grants.set(key, { header: grant.header, until: now() + grant.seconds * 1000 })
    if (grants.size > 500) grants.delete(grants.keys().next().value ?? key)
  }

  async function exchange(
    access: RegistryAccess,
    call: RegistryCall,
    redirect: 'follow' | 'manual',
    left: number,
  ): Promise<OutboundResponse> {
    const origin = originOf(access)
    const url = resolveWithin(origin, call.path)
    if (!url.ok) throw signInFault(url.failure, access)
    const key = grantKey(access, origin, call.scope)
    const grant = grants.get(key)
    const more = { ...(call.signal && { signal: call.signal }), ca: access.ca === '' ? undefined : access.ca }
    const answer = await signedIn<OutboundResponse>({
      origin,
      account: access,
      scope: call.scope,
      token: access.token,
      granted: grant !== undefined && grant.until > now() ? grant.header : undefined,
      keep: (given) => remember(key, given),
      send: (authorization) =>
        outbound.request({
          url: url.value,
          method: call.method ?? 'GET',
          headers: {
            ...call.headers,
            ...(call.length !== undefined && { 'content-length': String(call.length) }),
            ...(authorization !== undefined && { authorization }),
          },
          ...(call.body !== undefined && { body: call.body() }),
          timeout: Math.min(call.timeout ?? 20_000, left),
          maxBytes: call.maxBytes ?? 8 * 1_048_576,
          redirect,
          ...more,
        }),
      askToken: (realm, headers) =>
        outbound.requestText({ url: realm, headers, timeout: Math.min(15_000, left), maxBytes: 1_048_576, ...more }),
    })
    if (!answer.ok) throw signInFault(answer.failure, access)
    return answer.value
  }

  async function once(access: RegistryAccess, call: RegistryCall, left: number): Promise<Answer> {
    const { status, headers, body } = await exchange(access, call, 'follow', left)
    const text = await textOf(body)
    const host = originOf(access).host
    if (status === 429) throw new Fault('unavailable', 'registry-busy', { host })
    if (status >= 500) throw new Fault('badGateway', 'registry-error', { host, status })
    return { status, headers, text }
  }

  /** Tries reads several times, and writes once. */
  function attempted<T>(access: RegistryAccess, call: RegistryCall, work: (left: number) => Promise<T>): Promise<T> {
    const { host, origin } = originOf(access)
    const { method = 'GET', within, signal } = call
    const isRead = method === 'GET' || method === 'HEAD'
    const attempts = { host, pauses: isRead ? pauses : [], now, mayRetry: isTransient, within, signal }
    return unlessResting(origin, () => retried(attempts, work))
  }

  return {
    call: (access, call) => attempted(access, call, (left) => once(access, call, left)),
    open: (access, call) =>
      attempted(access, call, async (left) => {
        const answer = await exchange(access, call, 'manual', left)
        if (answer.status < 500 && answer.status !== 429) return answer
        answer.body.destroy()
        throw new Fault('badGateway', 'registry-error', { host: originOf(access).host, status: answer.status })
      }),
  }
}

const tokenVars = ({ host: service, status, text }: TokenAnswer, host: string) => ({
  host,
  service,
  answer: `${status} ${text}`.trim(),
})

export function signInFault(failure: SignInFailure, access: RegistryAccess): Fault {
  const { host } = originOf(access)
  switch (failure.kind) {
    case 'credentials': {
      if (!access.username) return new Fault('invalid', 'registry-password-needed', { host })
      const wrong = new Fault('invalid', 'registry-wrong-password', { host: failure.by?.host ?? host })
      if (failure.by === undefined || failure.by.text === '') return wrong
      const fault = new Fault('invalid', 'registry-token-refused', tokenVars(failure.by, host))
      fault.cause = wrong
      return fault
    }
    case 'realm':
      return new Fault('badGateway', 'registry-realm', { host, realm: failure.realm })
    case 'token':
      return new Fault('badGateway', 'registry-token-error', tokenVars(failure.by, host))
    case 'elsewhere':
      return new Fault('badGateway', 'outbound-redirect', { host })
    case 'protocol':
      return new Fault('badGateway', 'registry-not-one', { host })
  }
}
