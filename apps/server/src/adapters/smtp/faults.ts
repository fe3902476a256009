import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { Fault } from '../../kernel/fault.ts'
import { maskEchoes } from '../../kernel/secrets/masking.ts'
import { causesOf, certificateProblem } from '../outbound/causes.ts'

interface SmtpError extends Error {
  code?: string
  command?: string
  responseCode?: number
  response?: string
}

/** The library keeps a certificate's error only in its message, because it overwrites the code. */
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

interface About {
  host: string
  to: string
  /** Masked in the fault, because the server may echo it. */
  password: string
}

/** The server's answer unchanged, on one line, except that the password is masked. */
const answerOf = ({ response = '' }: SmtpError, password: string): string =>
  maskEchoes(response, [password])
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 300)

const refusedAt: Record<string, PhraseKey> = {
  'RCPT TO': 'mail-recipient-refused',
  'MAIL FROM': 'mail-sender-refused',
}

/** Maps a failed attempt to a fault. */
export function smtpFault(error: unknown, { host, to, password }: About): Fault {
  if (error instanceof Fault) return error
  const errors = [...causesOf(error)] as SmtpError[]
  const first = errors[0]
  const answer = first ? answerOf(first, password) : ''
  const faultOf = (key: PhraseKey): Fault => {
    const fault = new Fault('badGateway', key, { host, to, answer: answer || '–' })
    fault.cause = error
    return fault
  }
  const codes = errors.map(({ code = '' }) => code)
  const certificate = certificateProblem(codes)
  if (certificate) return faultOf(`outbound-tls-${certificate}`)
  if (codes.some((code) => code === 'ETLS' || code === 'ESOCKET' || code.startsWith('ERR_'))) {
    const words = tlsWords.find(([pattern]) => errors.some(({ message }) => pattern.test(message)))
    if (words) return faultOf(words[1])
  }
  if (first?.code === 'EENVELOPE' || first?.code === 'EMESSAGE')
    return faultOf((first.responseCode ?? 0) < 500 ? 'mail-later' : (refusedAt[first.command ?? ''] ?? 'mail-refused'))
  const known = codes.map((code) => byCode[code]).find((key) => key !== undefined)
  const syscall = errors.map(({ message }) => Object.keys(byCode).find((code) => message.includes(code))).find(Boolean)
  return faultOf(known ?? (syscall === undefined ? undefined : byCode[syscall]) ?? 'mail-broken')
}
