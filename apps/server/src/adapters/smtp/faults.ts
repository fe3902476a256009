import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { Fault } from '../../kernel/fault.ts'

interface SmtpError extends Error {
  code?: string
  command?: string
  responseCode?: number
  response?: string
}

const byTls: Record<string, PhraseKey> = {
  CERT_HAS_EXPIRED: 'outbound-tls-expired',
  CERT_NOT_YET_VALID: 'outbound-tls-expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'outbound-tls-name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'outbound-tls-untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'outbound-tls-untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'outbound-tls-untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'outbound-tls-untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'outbound-tls-untrusted',
}

/** The library keeps a certificate's fault in its words only, once it has put its own code over it. */
const tlsWords: [RegExp, PhraseKey][] = [
  [/expired/i, 'outbound-tls-expired'],
  [/altname|does not match certificate/i, 'outbound-tls-name'],
  [/self[- ]signed|unable to (get|verify)/i, 'outbound-tls-untrusted'],
  [/wrong version number|packet length too long|unknown protocol/i, 'mail-no-tls'],
]

const byCode: Record<string, PhraseKey> = {
  ECONNREFUSED: 'outbound-unreachable',
  EHOSTUNREACH: 'outbound-unreachable',
  ENETUNREACH: 'outbound-unreachable',
  ETIMEDOUT: 'outbound-timeout',
  ETLS: 'mail-no-tls',
  EAUTH: 'mail-wrong-password',
  ENOAUTH: 'mail-wrong-password',
}

function* chain(error: unknown, depth = 0): Generator<SmtpError> {
  if (!(error instanceof Error) || depth > 5) return
  yield error
  yield* chain(error.cause, depth + 1)
}

/** What a server answers is told as it is, on one line. */
const answerOf = ({ response = '' }: SmtpError): string =>
  response
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 300)

const refusedAt: Record<string, PhraseKey> = {
  'RCPT TO': 'mail-recipient-refused',
  'MAIL FROM': 'mail-sender-refused',
}

/** What a failed try means to a user. */
export function smtpFault(error: unknown, { host, to }: { host: string; to: string }): Fault {
  if (error instanceof Fault) return error
  const errors = [...chain(error)]
  const first = errors[0]
  const answer = first ? answerOf(first) : ''
  const told = (key: PhraseKey): Fault => {
    const fault = new Fault('badGateway', key, { host, to, answer: answer || '–' })
    fault.cause = error
    return fault
  }
  const codes = errors.map(({ code = '' }) => code)
  const tls = codes.map((code) => byTls[code]).find((key) => key !== undefined)
  if (tls) return told(tls)
  if (codes.some((code) => code === 'ETLS' || code === 'ESOCKET' || code.startsWith('ERR_'))) {
    const words = tlsWords.find(([pattern]) => errors.some(({ message }) => pattern.test(message)))
    if (words) return told(words[1])
  }
  if (first?.code === 'EENVELOPE' || first?.code === 'EMESSAGE')
    return told((first.responseCode ?? 0) < 500 ? 'mail-later' : (refusedAt[first.command ?? ''] ?? 'mail-refused'))
  const known = codes.map((code) => byCode[code]).find((key) => key !== undefined)
  const syscall = errors.map(({ message }) => Object.keys(byCode).find((code) => message.includes(code))).find(Boolean)
  return told(known ?? (syscall === undefined ? undefined : byCode[syscall]) ?? 'mail-broken')
}
