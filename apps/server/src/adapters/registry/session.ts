import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { parseChallenge, type Challenge } from '@gantry/contract/images/challenge'
import { Fault } from '../../kernel/fault.ts'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { ask, closed, tell, type Breaker } from '../kube/breaker.ts'
import { parseJson, textOf } from '../outbound/body.ts'
import type { Outbound, OutboundRequest, OutboundResponse } from '../outbound/outbound.ts'

/** A registry and how to sign in to it. `url` is its origin, with or without a trailing `/v2/`. */
export interface RegistryAccess {
  url: string
  username?: string | undefined
  password?: string | undefined
}

export interface RegistryCall {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the origin, from `/v2/` on, or a Location that the registry answered. */
  path: string
  /** For whom a token is asked: `repository:<name>:pull,push`; empty for none. */
  scope: string
  headers?: Record<string, string>
  body?: OutboundRequest['body']
  timeout?: number
  maxBytes?: number
  signal?: AbortSignal | undefined
}

export interface Answer {
  status: number
  headers: Record<string, string>
  text: string
}

export interface Sessions {
  /** One call, signed in as the registry wants. Reads are tried three times; a registry that keeps failing is left alone for a while. */
  call(access: RegistryAccess, call: RegistryCall): Promise<Answer>
  /** As `call`, but the body is not read, and 3xx are answers. */
  open(access: RegistryAccess, call: RegistryCall): Promise<OutboundResponse>
}

export interface SessionSettings {
  outbound: Outbound
  /** Milliseconds before the second, the third … try, before jitter. Two tries more unless told. */
  pauses?: readonly number[]
  /** Whether a registry that keeps failing is left alone. Not for someone who waits at a form. */
  rests?: boolean
  now?: () => number
}

const Token = z.object({
  token: z.string().optional(),
  access_token: z.string().optional(),
  expires_in: z.number().optional(),
})

const transient: ReadonlySet<PhraseKey> = new Set<PhraseKey>([
  'outbound-unreachable',
  'outbound-timeout',
  'outbound-broken',
  'outbound-not-json',
  'registry-error',
  'registry-busy',
])
const isTransient = (error: unknown): boolean => error instanceof Fault && transient.has(error.key)

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
  /** Bearer tokens, and which registries want basic, by registry, user and scope. */
  const grants = new Map<string, { header: string; until: number }>()
  const breakers = new Map<string, Breaker>()

  async function unlessResting<T>(host: string, work: () => Promise<T>): Promise<T> {
    const before = breakers.get(host) ?? closed
    const { pass, wait, next } = ask(before, now())
    if (rests && !pass) throw new Fault('unavailable', 'registry-resting', { host, seconds: Math.ceil(wait / 1000) })
    breakers.set(host, next)
    const book = (outcome: 'success' | 'failure' | 'neither'): void => {
      const after = tell(breakers.get(host) ?? closed, outcome, next.trying && !before.trying, now(), Math.random())
      if (after === closed) breakers.delete(host)
      else breakers.set(host, after)
    }
    try {
      const result = await work()
      book('success')
      return result
    } catch (error) {
      // Anything that the registry says is an answer; what is no Fault is the caller's own end.
      book(isTransient(error) ? 'failure' : error instanceof Fault ? 'success' : 'neither')
      throw error
    }
  }

  const grantKey = ({ username, password }: RegistryAccess, origin: URL, scope: string): string =>
    createHash('sha256')
      .update(JSON.stringify([origin.origin, username, password, scope]))
      .digest('base64')

  const basicOf = ({ username, password }: RegistryAccess): string | undefined =>
    username ? `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}` : undefined

  /** The Authorization header that answers a challenge; undefined where there is nothing to sign in with. */
  async function answered(
    access: RegistryAccess,
    origin: URL,
    challenge: Challenge,
    call: RegistryCall,
  ): Promise<string | undefined> {
    const basic = basicOf(access)
    const key = grantKey(access, origin, call.scope)
    if (challenge.scheme === 'basic') {
      if (basic !== undefined) remember(key, basic, 300)
      return basic
    }
    if (!URL.canParse(challenge.realm)) throw new Fault('badGateway', 'registry-not-one', { host: origin.host })
    const realm = new URL(challenge.realm)
    // A password goes to the registry itself, or where it points to over TLS; a plain http realm elsewhere gets none.
    const trusted = realm.origin === origin.origin || realm.protocol === 'https:'
    if (!trusted && basic !== undefined)
      throw new Fault('badGateway', 'registry-realm', { host: origin.host, realm: realm.host })
    if (challenge.service !== '') realm.searchParams.set('service', challenge.service)
    for (const scope of (call.scope || challenge.scope).split(' ').filter(Boolean))
      realm.searchParams.append('scope', scope)
    const { status, text } = await outbound.requestText({
      url: realm,
      headers: { accept: 'application/json', ...(basic !== undefined && { authorization: basic }) },
      timeout: 15_000,
      maxBytes: 1_048_576,
      ...(call.signal && { signal: call.signal }),
    })
    if (status === 401 || status === 403) throw refusedPassword(access, origin.host)
    if (status !== 200) throw new Fault('badGateway', 'registry-error', { host: realm.host, status })
    const token = parseJson(text, Token, realm.host)
    const bearer = token.token ?? token.access_token
    if (bearer === undefined || /[^\x21-\x7e]/.test(bearer))
      throw new Fault('badGateway', 'outbound-not-json', { host: realm.host })
    const header = `Bearer ${bearer}`
    remember(key, header, Math.min(token.expires_in ?? 60, 3600) - 15)
    return header
  }

  function remember(key: string, header: string, seconds: number): void {
    if (seconds <= 0) return
    grants.delete(key)
    grants.set(key, { header, until: now() + seconds * 1000 })
    if (grants.size > 500) grants.delete(grants.keys().next().value ?? key)
  }

  async function signedIn(
    access: RegistryAccess,
    call: RegistryCall,
    redirect: 'follow' | 'manual',
  ): Promise<OutboundResponse> {
    const origin = originOf(access)
    const url = within(origin, call.path)
    const key = grantKey(access, origin, call.scope)
    const send = (authorization: string | undefined): Promise<OutboundResponse> =>
      outbound.request({
        url,
        method: call.method ?? 'GET',
        headers: { ...call.headers, ...(authorization !== undefined && { authorization }) },
        ...(call.body !== undefined && { body: call.body }),
        timeout: call.timeout ?? 20_000,
        maxBytes: call.maxBytes ?? 8 * 1_048_576,
        redirect,
        ...(call.signal && { signal: call.signal }),
      })
    const grant = grants.get(key)
    const known = grant !== undefined && grant.until > now() ? grant.header : undefined
    const first = await send(known)
    if (first.status !== 401) return first
    first.body.destroy()
    grants.delete(key)
    // A stream is spent by its first try: whoever uploads one asks for the upload first, which brings the grant.
    if (call.body !== undefined && typeof call.body !== 'string' && !Buffer.isBuffer(call.body))
      throw refusedPassword(access, origin.host)
    const challenge = parseChallenge(first.headers['www-authenticate'] ?? '')
    if (challenge === undefined) throw refusedPassword(access, origin.host)
    const header = await answered(access, origin, challenge, call)
    if (header === undefined || header === known) throw refusedPassword(access, origin.host)
    const second = await send(header)
    if (second.status === 401) {
      second.body.destroy()
      grants.delete(key)
      throw refusedPassword(access, origin.host)
    }
    return second
  }

  async function once(access: RegistryAccess, call: RegistryCall): Promise<Answer> {
    const { status, headers, body } = await signedIn(access, call, 'follow')
    const text = await textOf(body)
    const host = originOf(access).host
    if (status === 429) throw new Fault('unavailable', 'registry-busy', { host })
    if (status >= 500) throw new Fault('badGateway', 'registry-error', { host, status })
    return { status, headers, text }
  }

  async function retried<T>(method: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        return await work()
      } catch (error) {
        const pause = pauses[tries]
        if (pause === undefined || !isTransient(error) || (method !== 'GET' && method !== 'HEAD')) throw error
        await sleep(pause * (0.5 + Math.random()), undefined, signal && { signal })
      }
    }
  }

  return {
    call: (access, call) =>
      unlessResting(originOf(access).host, () => retried(call.method ?? 'GET', () => once(access, call), call.signal)),
    open: (access, call) =>
      unlessResting(originOf(access).host, () =>
        retried(
          call.method ?? 'GET',
          async () => {
            const answer = await signedIn(access, call, 'manual')
            if (answer.status < 500 && answer.status !== 429) return answer
            answer.body.destroy()
            throw new Fault('badGateway', 'registry-error', { host: originOf(access).host, status: answer.status })
          },
          call.signal,
        ),
      ),
  }
}

const refusedPassword = (access: RegistryAccess, host: string): Fault =>
  new Fault('invalid', access.username ? 'registry-wrong-password' : 'registry-password-needed', { host })

/** A path or Location of the registry. One that names another host is refused; scheme and port are the registry's own. */
export function within(origin: URL, location: string): URL {
  if (!URL.canParse(location, origin)) throw new Fault('badGateway', 'registry-not-one', { host: origin.host })
  const to = new URL(location, origin)
  if (to.hostname !== origin.hostname) throw new Fault('badGateway', 'outbound-redirect', { host: origin.host })
  return new URL(to.pathname + to.search, origin)
}
