import { errors as jose } from 'jose'
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { Fault } from '../../kernel/fault.ts'
import { maskEchoes } from '../../kernel/secrets/masking.ts'

/** The exchange that failed. */
export interface Exchange {
  issuer: string
  clientSecret: string
  redirectUri?: string
  /** The endpoint that failed; undefined: the discovery. */
  endpoint?: 'token' | 'userinfo'
}

/** An error and its causes, outermost first. */
function* chain(error: unknown): Generator {
  let at = error
  for (let depth = 0; depth < 6 && at !== undefined && at !== null; depth++) {
    yield at
    at = (at as { cause?: unknown }).cause
  }
}

const textAt = (value: unknown, name: string): string | undefined => {
  const found: unknown =
    typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined
  return typeof found === 'string' ? found : undefined
}

/** The provider's own text, limited to a line, without invisible characters and those that change its direction. */
const capped = (text: string): string =>
  [...text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu, ' ').trim()].slice(0, 200).join('')

const isText = (value: unknown): value is string => typeof value === 'string'

/** Whether a `sub` identifies anybody: accounts are found by it, and all users without one would share an account. */
export const isSubject = (sub: unknown): sub is string =>
  isText(sub) && sub.replaceAll(/[\s\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, '') !== ''

/** The object that a library's error is about, such as `claims`, `body` or `header`. */
const aboutOf = (errors: unknown[], name: string): object | undefined => {
  for (const error of errors) {
    const found: unknown =
      typeof error === 'object' && error !== null && name in error ? Reflect.get(error, name) : undefined
    if (typeof found === 'object' && found !== null) return found
  }
  return undefined
}

/** The status of the answer, if the errors contain a whole response. */
const statusOf = (errors: unknown[]): number | undefined =>
  errors.find((one) => one instanceof Response || one instanceof WWWAuthenticateChallengeError)?.status

/** The provider's reason of a refusal, in its own words. */
function saidOf(errors: unknown[], { clientSecret }: Exchange): string {
  const body = errors.find((one) => one instanceof ResponseBodyError)
  const challenge = errors.find((one) => one instanceof WWWAuthenticateChallengeError)
  const parameters = challenge?.cause[0]?.parameters
  const said = [body?.error ?? parameters?.error, body?.error_description ?? parameters?.error_description]
  const text = said.filter(isText).join(': ') || `HTTP ${body?.status ?? statusOf(errors) ?? ''}`
  // the provider was sent the secret, and may echo it
  return capped(maskEchoes(text, [clientSecret]))
}

/** The claim that was wrong, from the libraries' errors. */
const claimOf = (errors: unknown[]): string | undefined => {
  for (const error of errors) {
    const claim = error instanceof jose.JWTClaimValidationFailed ? error.claim : textAt(error, 'claim')
    if (claim !== undefined) return claim
  }
  return undefined
}

/** No symmetric algorithm: anybody who knows the client's secret could sign for any user. */
export const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')

const byClaim: Record<string, PhraseKey> = {
  nonce: 'oauth-token-nonce',
  exp: 'oauth-token-time',
  iat: 'oauth-token-time',
  nbf: 'oauth-token-time',
}

/** Whether the provider rejected this client's id or secret: another authentication method may work. */
export const refusesClient = (error: unknown): boolean =>
  [...chain(error)].some(
    (one) =>
      (one instanceof WWWAuthenticateChallengeError && one.status === 401) ||
      (one instanceof ResponseBodyError &&
        (one.status === 401 || ['invalid_client', 'unauthorized_client'].includes(one.error))),
  )

/**
 * Maps a failed exchange with the provider to a fault for the user who logs in or configures it; `otherwise` if no
 * cause is known.
 */
export function oidcFault(error: unknown, exchange: Exchange, otherwise: Fault): Fault {
  const errors = [...chain(error)]
  const own = errors.find((one) => one instanceof Fault)
  if (own) return own
  const fault =
    (exchange.endpoint === 'userinfo' ? userInfoFault(errors, exchange) : faultOf(errors, exchange)) ?? otherwise
  fault.cause = error
  return fault
}

function userInfoFault(errors: unknown[], exchange: Exchange): Fault {
  const status = statusOf(errors)
  if (status !== undefined && status !== 200)
    return new Fault('invalid', 'oauth-userinfo-status', { status, problem: saidOf(errors, exchange) })
  const body = aboutOf(errors, 'body')
  const subject = body !== undefined || errors.some((one) => textAt(one, 'attribute') === 'sub')
  return new Fault('invalid', subject ? 'oauth-userinfo-subject' : 'oauth-userinfo-answer')
}

/** Whether a provider that was sent an invalid code objected only to the code, not to what a login needs. */
export function refusesCodeAlone(error: unknown): boolean {
  const errors = [...chain(error)]
  const body = errors.find((one) => one instanceof ResponseBodyError)
  if (body) return !refusesClient(error) && !namesRedirect(`${body.error} ${body.error_description ?? ''}`)
  // without OAuth's error fields, 400 is the likeliest answer to a wrong code
  return !errors.some((one) => one instanceof Fault) && [undefined, 200, 400].includes(statusOf(errors))
}

/**
 * Whether a provider's text says that the redirect URI is unknown, for which the token endpoint has no error code. A
 * sentence that lists every possible reason, as the standard's does, does not count.
 */
export const namesRedirect = (text: string): boolean =>
  /redirect[\s_-]?ur[il]/i.test(text) && !/expired|revoked/i.test(text)

function tokenFault(errors: unknown[], exchange: Exchange): Fault | undefined {
  const body = errors.find((one) => one instanceof ResponseBodyError)
  const problem = saidOf(errors, exchange)
  if (body && namesRedirect(`${body.error} ${body.error_description ?? ''}`))
    return new Fault('invalid', 'oauth-redirect-refused', { redirectUri: exchange.redirectUri ?? '', problem })
  if (errors.some(refusesClient)) return new Fault('invalid', 'oauth-client-refused', { problem })
  if (body?.error === 'invalid_grant') return new Fault('invalid', 'oauth-code-refused', { problem })
  if (body) return new Fault('invalid', 'oauth-provider-says', { problem })
  const answer = errors.find((one) => one instanceof AuthorizationResponseError)
  // what a browser returns with may be a guess of the secret, so it is not masked
  if (answer)
    return new Fault('invalid', 'oauth-provider-says', { problem: capped(answer.error_description ?? answer.error) })
  const status = statusOf(errors)
  if (exchange.endpoint === 'token' && status !== undefined && status !== 200)
    return new Fault('invalid', 'oauth-token-status', { status })
  return undefined
}

/** The problem with an ID token that was received. */
function idTokenFault(errors: unknown[]): Fault | undefined {
  const body = aboutOf(errors, 'body')
  if (textAt(body, 'access_token') && !textAt(body, 'id_token')) return new Fault('invalid', 'oauth-token-none')
  const algorithm = textAt(aboutOf(errors, 'header'), 'alg')
  if (algorithm !== undefined) return algorithmFault(algorithm)
  if (errors.some((one) => one instanceof jose.JWKSNoMatchingKey)) return new Fault('invalid', 'oauth-token-key')
  if (errors.some((one) => one instanceof jose.JWSSignatureVerificationFailed))
    return new Fault('invalid', 'oauth-token-signature')
  const claim = claimOf(errors)
  if (claim !== undefined && byClaim[claim]) return new Fault('invalid', byClaim[claim])
  if (claim !== undefined) return new Fault('invalid', 'oauth-token-claim', { claim })
  const claims = aboutOf(errors, 'claims')
  if (claims && !isSubject(Reflect.get(claims, 'sub'))) return new Fault('invalid', 'oauth-token-subject')
  if (claims && !textAt(claims, 'nonce')) return new Fault('invalid', 'oauth-token-nonce')
  if (errors.some((one) => one instanceof jose.JOSEError)) return new Fault('invalid', 'oauth-token-signature')
  return undefined
}

export const algorithmFault = (found: string): Fault =>
  new Fault('invalid', 'oauth-token-algorithm', { algorithm: capped(found), accepted: algorithms.join(', ') })

function faultOf(errors: unknown[], exchange: Exchange): Fault | undefined {
  const known = tokenFault(errors, exchange) ?? idTokenFault(errors)
  if (known) return known
  const client = errors.find((one) => one instanceof ClientError)
  if (textAt(client?.cause, 'attribute') !== 'issuer') return undefined
  const found = textAt(Reflect.get(Object(client?.cause), 'body'), 'issuer')
  return new Fault('invalid', 'oauth-issuer-differs', { issuer: exchange.issuer, found: capped(found ?? '') })
}
