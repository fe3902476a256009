/**
 * Every error in a chain of causes and aggregates, outermost first: libraries wrap the system's own in different ways.
 */
export function* causesOf(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 5) return
  yield error
  if (error instanceof AggregateError) for (const inner of error.errors) yield* causesOf(inner, depth + 1)
  yield* causesOf(error.cause, depth + 1)
}

export const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

export type CertificateProblem = 'expired' | 'name' | 'untrusted'

const problems: Record<string, CertificateProblem> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'name',
  HOSTNAME_MISMATCH: 'name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  CERT_UNTRUSTED: 'untrusted',
  CERT_SIGNATURE_FAILURE: 'untrusted',
  CERT_REJECTED: 'untrusted',
  INVALID_CA: 'untrusted',
}

/** The problem with a server's certificate, from the codes of Node and OpenSSL. */
export const certificateProblem = (codes: string[]): CertificateProblem | undefined =>
  codes.map((code) => problems[code]).find((problem) => problem !== undefined)
