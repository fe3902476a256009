import { Fault } from '../../kernel/fault.ts'
import type { PhraseKey } from '@gantry/phrases/keys.gen'

const byCode: Record<string, PhraseKey> = {
  ENOTFOUND: 'outbound-unknown-host',
  EAI_AGAIN: 'outbound-unknown-host',
  EAI_FAIL: 'outbound-unknown-host',
  EAI_NODATA: 'outbound-unknown-host',
  ECONNREFUSED: 'outbound-unreachable',
  EHOSTUNREACH: 'outbound-unreachable',
  ENETUNREACH: 'outbound-unreachable',
  EADDRNOTAVAIL: 'outbound-unreachable',
  ETIMEDOUT: 'outbound-timeout',
  UND_ERR_CONNECT_TIMEOUT: 'outbound-timeout',
  UND_ERR_HEADERS_TIMEOUT: 'outbound-timeout',
  UND_ERR_BODY_TIMEOUT: 'outbound-timeout',
  CERT_HAS_EXPIRED: 'outbound-tls-expired',
  CERT_NOT_YET_VALID: 'outbound-tls-expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'outbound-tls-name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'outbound-tls-untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'outbound-tls-untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'outbound-tls-untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'outbound-tls-untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'outbound-tls-untrusted',
  CERT_UNTRUSTED: 'outbound-tls-untrusted',
  EPROTO: 'outbound-tls-missing',
  ERR_SSL_WRONG_VERSION_NUMBER: 'outbound-tls-missing',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'outbound-tls-missing',
}

/** Every error in a chain of causes and aggregates, outermost first. */
function* chain(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 5) return
  yield error
  if (error instanceof AggregateError) for (const inner of error.errors) yield* chain(inner, depth + 1)
  yield* chain(error.cause, depth + 1)
}

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** What a failed exchange with `host` means to a user. A Fault that is somewhere in the chain is handed back as it is. */
export function outboundFault(error: unknown, host: string): Fault {
  const errors = [...chain(error)]
  const own = errors.find((one) => one instanceof Fault)
  if (own !== undefined) return own
  const codes = errors.map(codeOf)
  const known = codes.map((code) => byCode[code]).find((key) => key !== undefined)
  const tls = codes.some((code) => /^(ERR_TLS|ERR_SSL|CERT_|ERR_OSSL)/.test(code))
  const fault = new Fault('badGateway', known ?? (tls ? 'outbound-tls' : 'outbound-broken'), { host })
  fault.cause = error
  return fault
}
