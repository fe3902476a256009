import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { parseChallenge } from '@gantry/contract/images/challenge'
import { bytes, type Answered, type Transport } from '../http.ts'
import { said } from '../log.ts'
import { StepFailure } from '../reasons.ts'

/** A registry and how to sign in to it, as the server hands it out. */
export interface RegistryAccess {
  url: string
  username: string
  password: string
}

export interface RegistryCall {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH'
  /** From `/v2/` on, or a Location that the registry answered. */
  path: string
  headers?: Record<string, string>
  /** Asked for when the request is made, and again when it is repeated. */
  body?: () => Buffer | Readable
  length?: number
}

/** Talks to one registry for one repository (and those that are read from); remembers how it wants to be signed in to. */
export interface Registry {
  host: string
  call: (call: RegistryCall) => Promise<Answered>
  text: (call: RegistryCall) => Promise<{ status: number; headers: Answered['headers']; text: string }>
  /** What an answer that was not hoped for means. */
  refusal: (status: number, text: string, what: { action: string; repository: string }) => StepFailure
}

export interface RegistryOptions {
  transport: Transport
  access: RegistryAccess
  /** `repository:<name>:pull,push` …, separated by spaces. */
  scope: string
  signal: AbortSignal
}

const most = 8 * 1024 * 1024

export function registry({ transport, access, scope, signal }: RegistryOptions): Registry {
  const origin = new URL(access.url)
  const { host } = origin
  const basic =
    access.username === ''
      ? undefined
      : `Basic ${Buffer.from(`${access.username}:${access.password}`).toString('base64')}`
  let authorization: string | undefined

  async function exchange(url: URL, call: Omit<RegistryCall, 'path'>, header: string | undefined): Promise<Answered> {
    try {
      return await transport.ask({
        method: call.method,
        url: url.href,
        headers: { ...call.headers, ...(header === undefined ? {} : { authorization: header }) },
        ...(call.body === undefined ? {} : { body: call.body() }),
        ...(call.length === undefined ? {} : { length: call.length }),
        idleMs: 120_000,
        signal,
      })
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof StepFailure) throw cause
      const code = (cause as NodeJS.ErrnoException).code ?? ''
      if (/CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ALTNAME/.test(code))
        throw new StepFailure('agents-registry-untrusted', { host: url.host })
      throw new StepFailure('agents-registry-unreachable', { host: url.host, text: code === '' ? said(cause) : code })
    }
  }

  /** A password goes to the registry itself, or over TLS to where it points; a plain realm elsewhere gets none. */
  async function token(realm: URL, service: string): Promise<string> {
    const trusted = realm.origin === origin.origin || realm.protocol === 'https:'
    if (!trusted && basic !== undefined) throw new StepFailure('agents-registry-realm', { host, realm: realm.host })
    if (service !== '') realm.searchParams.set('service', service)
    for (const one of scope.split(' ')) realm.searchParams.append('scope', one)
    const answered = await exchange(realm, { method: 'GET', headers: { accept: 'application/json' } }, basic)
    const text = (await bytes(answered.body, most)).toString('utf8')
    if (answered.status === 401 || answered.status === 403)
      throw new StepFailure('agents-registry-wrong-password', { host })
    const given = answered.status === 200 ? json(text) : undefined
    const granted = given?.['token'] ?? given?.['access_token']
    if (typeof granted !== 'string' || /[^\x21-\x7e]/.test(granted))
      throw new StepFailure('agents-registry-refused', { host, text: `${realm.host}: ${answered.status}` })
    return `Bearer ${granted}`
  }

  async function call(given: RegistryCall): Promise<Answered> {
    const url = within(origin, given.path)
    const first = await exchange(url, given, authorization)
    if (first.status !== 401) return first
    first.body.destroy()
    const challenge = parseChallenge(String(first.headers['www-authenticate'] ?? ''))
    if (challenge === undefined || (challenge.scheme === 'basic' && basic === undefined))
      throw new StepFailure('agents-registry-wrong-password', { host })
    const fresh =
      challenge.scheme === 'basic'
        ? basic
        : await token(URL.parse(challenge.realm) ?? new URL('invalid:'), challenge.service)
    if (fresh === authorization && challenge.scheme === 'basic')
      throw new StepFailure('agents-registry-wrong-password', { host })
    authorization = fresh
    const second = await exchange(url, given, authorization)
    if (second.status !== 401) return second
    second.body.destroy()
    throw new StepFailure('agents-registry-wrong-password', { host })
  }

  return {
    host,
    call,
    async text(given) {
      const answered = await call(given)
      return { status: answered.status, headers: answered.headers, text: (await bytes(answered.body, most)).toString() }
    },
    refusal(status, text, { action, repository }) {
      if (status === 401) return new StepFailure('agents-registry-wrong-password', { host })
      if (status === 403) return new StepFailure('agents-registry-denied', { host, action, repository })
      return new StepFailure('agents-registry-refused', { host, text: `${status} ${errorText(text)}`.trim() })
    },
  }
}

/** A path or Location of the registry. One that names another host is refused: the credentials would go there. */
export function within(origin: URL, location: string): URL {
  const to = URL.parse(location, origin)
  if (to === null || to.hostname !== origin.hostname)
    throw new StepFailure('agents-registry-not-one', { host: origin.host })
  return new URL(to.pathname + to.search, origin)
}

/** The registry's own words, from the error format that all of them share. */
function errorText(text: string): string {
  const errors = json(text)?.['errors']
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined
  if (typeof first !== 'object' || first === null) return text.slice(0, 200)
  const { code, message } = first as { code?: unknown; message?: unknown }
  return [code, message].filter((part) => typeof part === 'string' && part !== '').join(': ')
}

export function json(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

export const digestOf = (content: Buffer | string): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`
