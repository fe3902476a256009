import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { MailSettings } from '@gantry/contract/settings/mail'
import type { Outbound } from '../outbound/outbound.ts'
import { smtpFault } from './faults.ts'

export type MailServer = Pick<MailSettings, 'host' | 'port' | 'security' | 'userName' | 'password'>

export interface MailMessage {
  from: { name: string; address: string }
  /** A single address. */
  to: string
  subject: string
  text: string
  html: string
  /** The same for each attempt, so that a mail that was sent twice is shown once. */
  messageId: string
}

/** Sends mails by SMTP. Faults name the cause: `mail-…` and the `outbound-…` ones of addresses and TLS. */
export interface Mail {
  /** Resolves once the server has accepted the mail. One attempt, at most 20 s. */
  send(server: MailServer, message: MailMessage, signal?: AbortSignal): Promise<void>
}

const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 }
const wholeMs = 20_000

export function createMail(outbound: Outbound): Mail {
  const ca = outbound.ca === undefined ? undefined : [...rootCertificates, outbound.ca]
  return {
    async send({ host, port, security, userName, password }, message, signal) {
      const name = isIP(host) === 6 ? `[${host}]` : host
      try {
        // connects to the very address that was checked
        const { address } = await outbound.admit(`http://${name}:${port}`)
        // not read by a server that sends no mail
        const { createTransport } = await import('nodemailer')
        const transport = createTransport({
          host: address,
          port,
          secure: security === 'tls',
          requireTLS: security === 'starttls',
          ignoreTLS: security === 'none',
          ...(userName === '' ? {} : { auth: { user: userName, pass: password } }),
          tls: { minVersion: 'TLSv1.2', ...(isIP(host) ? {} : { servername: host }), ...(ca ? { ca } : {}) },
          ...timeouts,
          // a mail contains only what its template contains: nothing is read from disk or fetched for it
          disableFileAccess: true,
          disableUrlAccess: true,
        })
        const deadline = AbortSignal.any([AbortSignal.timeout(wholeMs), ...(signal ? [signal] : [])])
        await until(
          transport.sendMail({
            ...message,
            headers: { 'Auto-Submitted': 'auto-generated' },
          }),
          deadline,
          () => transport.close(),
        )
      } catch (error) {
        throw smtpFault(error, { host, to: message.to, password })
      }
    },
  }
}

function until(work: Promise<unknown>, signal: AbortSignal, close: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      close()
      reject(Object.assign(new Error('too late'), { code: 'ETIMEDOUT' }))
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(() => resolve(), reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
