import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { Fault } from '../../kernel/fault.ts'
import { causesOf, certificateProblem, codeOf } from '../outbound/causes.ts'
import { NotLdap, TooLarge } from './frames.ts'
import { Closed } from './session.ts'

const byCode: Record<string, PhraseKey> = {
  ECONNREFUSED: 'ldap-unreachable',
  EHOSTUNREACH: 'ldap-unreachable',
  ENETUNREACH: 'ldap-unreachable',
  EADDRNOTAVAIL: 'ldap-unreachable',
  ETIMEDOUT: 'ldap-timeout',
  ECONNRESET: 'ldap-closed',
  EPIPE: 'ldap-closed',
  EPROTO: 'ldap-tls-missing',
  ERR_SSL_WRONG_VERSION_NUMBER: 'ldap-tls-missing',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'ldap-tls-missing',
}

/** Replaces phrases of the outbound rules that mention http addresses. */
const byOutboundKey: Partial<Record<PhraseKey, PhraseKey>> = {
  'outbound-refused': 'ldap-address-refused',
  'outbound-unknown-host': 'ldap-unknown-host',
  'outbound-timeout': 'ldap-unknown-host',
  'outbound-broken': 'ldap-unknown-host',
}

/** Maps a failed exchange with the directory at `host` to a fault. */
export function ldapFault(error: unknown, host: string): Fault {
  if (error instanceof Fault) {
    const key = byOutboundKey[error.key]
    if (key === undefined) return error
    return new Fault(error.key === 'outbound-refused' ? 'invalid' : 'unavailable', key, { host })
  }
  let key: PhraseKey | undefined
  if (error instanceof NotLdap) key = 'ldap-not-ldap'
  else if (error instanceof TooLarge) key = 'ldap-too-large'
  else if (error instanceof Closed) key = 'ldap-closed'
  const codes = [...causesOf(error)].map(codeOf)
  const certificate = certificateProblem(codes)
  key ??= certificate && `ldap-tls-${certificate}`
  key ??= codes.map((code) => byCode[code]).find((known) => known !== undefined)
  key ??= codes.some((code) => /^(ERR_TLS|ERR_SSL|CERT_|ERR_OSSL|UNABLE_TO)/.test(code)) ? 'ldap-tls' : undefined
  const fault = new Fault('unavailable', key ?? 'ldap-broken', { host, reason: codes.find(Boolean) ?? '' })
  fault.cause = error
  return fault
}

/** Result codes of RFC 4511. */
export const resultCodes = {
  success: 0,
  sizeLimit: 4,
  strongerAuth: 8,
  referral: 10,
  adminLimit: 11,
  confidentiality: 13,
  constraint: 19,
  noSuchObject: 32,
  invalidDn: 34,
  inappropriateAuth: 48,
  invalidCredentials: 49,
  insufficientAccess: 50,
  busy: 51,
  unavailable: 52,
  unwilling: 53,
} as const

const byResult: Record<number, PhraseKey> = {
  [resultCodes.strongerAuth]: 'ldap-tls-needed',
  [resultCodes.confidentiality]: 'ldap-tls-needed',
  [resultCodes.referral]: 'ldap-referral',
  [resultCodes.noSuchObject]: 'ldap-base-missing',
  [resultCodes.invalidDn]: 'ldap-base-missing',
  [resultCodes.insufficientAccess]: 'ldap-no-right',
  [resultCodes.busy]: 'ldap-busy',
  [resultCodes.unavailable]: 'ldap-busy',
}

/** The fault of an unsuccessful result. `what` is the base that was searched, or the DN that was bound. */
export const resultFault = (status: number, text: string, host: string, what: string): Fault =>
  new Fault('unavailable', byResult[status] ?? 'ldap-result', {
    host,
    what,
    status,
    // some directories end their text with a NUL
    text: text
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 300),
  })
