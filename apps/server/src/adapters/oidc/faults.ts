import { errors as jose } from 'jose'
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { Fault } from '../../kernel/fault.ts'
import { withoutEchoes } from '../../kernel/secrets/masking.ts'

interface Client {
  issuer: string
  clientSecret: string
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

/** The provider's own text is shown, but limited to a line. */
const capped = (text: string): string => [...text].slice(0, 200).join('')

/** The claim that was wrong, from the libraries' errors. */
const claimOf = (errors: unknown[]): string | undefined => {
  for (const error of errors) {
    const claim = error instanceof jose.JWTClaimValidationFailed ? error.claim : textAt(error, 'claim')
    if (claim !== undefined) return claim
  }
  return undefined
}

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
 * Maps a failed exchange with the provider to a fault for the user who logs in or configures it; `otherwise` where
 * nothing better is known.
 */
export function oidcFault(error: unknown, client: Client, otherwise: Fault): Fault {
  const errors = [...chain(error)]
  const own = errors.find((one) => one instanceof Fault)
  if (own) return own
  const fault = refusesClient(error)
    ? new Fault('invalid', 'oauth-client-refused')
    : (faultOf(errors, client) ?? otherwise)
  fault.cause = error
  return fault
}

function faultOf(errors: unknown[], { issuer, clientSecret }: Client): Fault | undefined {
  const body = errors.find((one) => one instanceof ResponseBodyError)
  if (body?.error === 'invalid_grant') return new Fault('invalid', 'oauth-code-refused')
  const says = (problem: string) => new Fault('invalid', 'oauth-provider-says', { problem: capped(problem) })
  // the provider was sent the secret, and may echo it; what a browser returns with may be anybody's guess
  if (body) return says(withoutEchoes(body.error_description ?? body.error, [clientSecret]))
  const answer = errors.find((one) => one instanceof AuthorizationResponseError)
  if (answer) return says(answer.error_description ?? answer.error)
  if (errors.some((one) => one instanceof jose.JWKSNoMatchingKey)) return new Fault('invalid', 'oauth-token-key')
  if (errors.some((one) => one instanceof jose.JWSSignatureVerificationFailed))
    return new Fault('invalid', 'oauth-token-signature')
  const claim = claimOf(errors)
  if (claim !== undefined && byClaim[claim]) return new Fault('invalid', byClaim[claim])
  if (claim !== undefined) return new Fault('invalid', 'oauth-token-claim', { claim })
  if (errors.some((one) => one instanceof jose.JOSEError)) return new Fault('invalid', 'oauth-token-signature')
  const client = errors.find((one) => one instanceof ClientError)
  if (textAt(client?.cause, 'attribute') !== 'issuer') return undefined
  const found = textAt(Reflect.get(Object(client?.cause), 'body'), 'issuer')
  return new Fault('invalid', 'oauth-issuer-differs', { issuer, found: capped(found ?? '') })
}
