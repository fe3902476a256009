import { Fault } from '../../kernel/fault.ts'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { causesOf, certificateProblem, codeOf } from './causes.ts'

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
  EPROTO: 'outbound-tls-missing',
  ERR_SSL_WRONG_VERSION_NUMBER: 'outbound-tls-missing',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'outbound-tls-missing',
}

/** Maps a failed exchange with `host` to a fault. A Fault anywhere in the chain is returned unchanged. */
export function outboundFault(error: unknown, host: string): Fault {
  const errors = [...causesOf(error)]
  const own = errors.find((one) => one instanceof Fault)
  if (own !== undefined) return own
  const codes = errors.map(codeOf)
  const certificate = certificateProblem(codes)
  const known = certificate
    ? (`outbound-tls-${certificate}` as const)
    : codes.map((code) => byCode[code]).find((key) => key !== undefined)
  const tls = codes.some((code) => /^(ERR_TLS|ERR_SSL|CERT_|ERR_OSSL)/.test(code))
  const fault = new Fault('badGateway', known ?? (tls ? 'outbound-tls' : 'outbound-broken'), { host })
  fault.cause = error
  return fault
}
