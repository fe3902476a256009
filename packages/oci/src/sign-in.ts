import type { AnswerHeaders } from './call.ts'
import { parseChallenge, type Challenge } from './challenge.ts'
import { errorText } from './error-text.ts'
import { done, failed, type Outcome, type SignInFailure } from './outcome.ts'

export interface Account {
  username?: string | undefined
  password?: string | undefined
}

/** An Authorization header, and the seconds for which it is valid. */
export interface Grant {
  header: string
  seconds: number
}

export interface SignIn<Answer> {
  /** The registry's origin. */
  origin: URL
  account: Account
  /** The scope of a token: `repository:<name>:pull,push` …, separated by spaces; empty for the registry's own. */
  scope: string
  /** An existing bearer token: with it no other is requested. */
  token?: string | undefined
  /** The header of the last grant for this registry, account and scope, if it is still valid. */
  granted: string | undefined
  /** Stores a grant; undefined if the stored one was refused. */
  keep: (grant: Grant | undefined) => void
  /** Makes the request; it is repeated if the first answer requires authentication. */
  send: (authorization: string | undefined) => Promise<Answer>
  askToken: (realm: URL, headers: Record<string, string>) => Promise<{ status: number; text: string }>
}

interface Unread {
  status: number
  headers: AnswerHeaders
  body: { destroy: () => unknown }
}

/** A request to a registry with its authentication: an earlier grant, a password, or a token for the password. */
export async function signedIn<Answer extends Unread>(how: SignIn<Answer>): Promise<Outcome<Answer, SignInFailure>> {
  const { token, granted, keep, send } = how
  const known = token === undefined ? granted : `Bearer ${token}`
  const first = await send(known)
  if (first.status !== 401) return done(first)
  first.body.destroy()
  if (token !== undefined) return refused
  keep(undefined)
  const challenge = parseChallenge(String(first.headers['www-authenticate'] ?? ''))
  if (challenge === undefined) return refused
  const grant = challenge.scheme === 'basic' ? passwordGrant(how.account) : await tokenGrant(challenge, how)
  if (!grant.ok) return grant
  if (grant.value.header === known) return refused
  const second = await send(grant.value.header)
  if (second.status !== 401) {
    keep(grant.value)
    return done(second)
  }
  second.body.destroy()
  return refused
}

const refused = failed({ kind: 'credentials' })

const basicOf = ({ username, password }: Account): string | undefined =>
  username ? `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}` : undefined

/** Valid for minutes only, because a registry may change its authentication. */
function passwordGrant(account: Account): Outcome<Grant, SignInFailure> {
  const header = basicOf(account)
  return header === undefined ? refused : done({ header, seconds: 300 })
}

/**
 * Requests a token. The password is sent to the registry itself, or over TLS to its realm; an unencrypted realm on
 * another host does not get it, and its text is not repeated. Nor is any text that contains the password.
 */
async function tokenGrant(
  challenge: Challenge & { scheme: 'bearer' },
  { origin, account, scope, askToken }: Pick<SignIn<never>, 'origin' | 'account' | 'scope' | 'askToken'>,
): Promise<Outcome<Grant, SignInFailure>> {
  const basic = basicOf(account)
  const realm = URL.parse(challenge.realm)
  if (realm === null) return failed({ kind: 'protocol' })
  const isTrusted = realm.origin === origin.origin || realm.protocol === 'https:'
  if (!isTrusted && basic !== undefined) return failed({ kind: 'realm', realm: realm.host })
  if (challenge.service !== '') realm.searchParams.set('service', challenge.service)
  for (const one of (scope || challenge.scope).split(' ').filter(Boolean)) realm.searchParams.append('scope', one)
  const { status, text } = await askToken(realm, {
    accept: 'application/json',
    ...(basic !== undefined && { authorization: basic }),
  })
  const grant = status === 200 ? readGrant(text) : undefined
  if (grant !== undefined) return done(grant)
  const words = isTrusted && status !== 200 ? errorText(text) : ''
  const echoes = [account.password, basic].some((secret) => secret && words.includes(secret))
  const by = { host: realm.host, status, text: echoes ? '' : words }
  return failed({ kind: status === 401 || status === 403 ? 'credentials' : 'token', by })
}

/** The grant is renewed a little before it expires, and at least hourly. */
function readGrant(text: string): Grant | undefined {
  let given: { token?: unknown; access_token?: unknown; expires_in?: unknown } | null
  try {
    given = JSON.parse(text) as typeof given
  } catch {
    return undefined
  }
  const token = given?.token ?? given?.access_token
  if (typeof token !== 'string' || /[^\x21-\x7e]/.test(token)) return undefined
  const seconds = typeof given?.expires_in === 'number' ? given.expires_in : 60
  return { header: `Bearer ${token}`, seconds: Math.min(seconds, 3600) - 15 }
}

/**
 * Resolves a path or Location of the registry, with the registry's own scheme and port. Another host is refused,
 * because it would receive the credentials.
 */
export function resolveWithin(origin: URL, location: string): Outcome<URL, SignInFailure> {
  const to = URL.parse(location, origin)
  if (to === null) return failed({ kind: 'protocol' })
  if (to.hostname !== origin.hostname) return failed({ kind: 'elsewhere' })
  return done(new URL(to.pathname + to.search, origin))
}
