import { connect as tcpConnect, isIP, type Socket } from 'node:net'
import { rootCertificates, connect as tlsConnect } from 'node:tls'
import { ExtendedRequest } from 'ldapts'
import { Fault } from '../../kernel/fault.ts'
import { type Pinned, pinnedLookup } from '../outbound/lookup.ts'
import { openSession, type Session } from './session.ts'

export interface LdapTarget {
  /** ldap://host[:port] or ldaps://host[:port]. */
  url: string
  /** Use StartTLS before anything else is sent; only for ldap://. */
  startTls: boolean
  /** PEM; empty: the CAs of the system and of GANTRY_CA_FILE are trusted. */
  ca: string
}

export function readTarget(target: LdapTarget): { secure: boolean; host: string; port: number; name: string } {
  const url = URL.canParse(target.url) ? new URL(target.url) : undefined
  if (!url || (url.protocol !== 'ldap:' && url.protocol !== 'ldaps:') || url.hostname === '')
    throw new Fault('invalid', 'ldap-url')
  const secure = url.protocol === 'ldaps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return { secure, host, port: url.port === '' ? (secure ? 636 : 389) : Number(url.port), name: url.host }
}

interface Opening {
  /** The outbound rules: see names.ts. */
  admit: (host: string, signal: AbortSignal) => Promise<Pinned>
  /** The content of GANTRY_CA_FILE. */
  systemCa: string | undefined
  /** Aborted with a Fault when the budget of the whole exchange is exhausted. */
  signal: AbortSignal
  maxBytes: number
}

/** Waits for the event unless the signal ends it first. */
function until<T extends Socket>(socket: T, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const clear = (): void => {
      socket.off(event, ready).off('error', failed).off('close', closed)
      signal.removeEventListener('abort', stopped)
    }
    const end = (error: unknown): void => {
      clear()
      // later errors of the socket are ignored
      socket.on('error', () => {})
      socket.destroy()
      reject(error instanceof Error ? error : new Error(String(error)))
    }
    const ready = (): void => {
      clear()
      resolve(socket)
    }
    const failed = (error: Error): void => end(error)
    const closed = (): void => end(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    const stopped = (): void => end(signal.reason)
    if (signal.aborted) return stopped()
    socket.on(event, ready).on('error', failed).on('close', closed)
    signal.addEventListener('abort', stopped)
  })
}

const startTlsOid = '1.3.6.1.4.1.1466.20037'

/** Ends the connection if bytes follow the consent: they would be read as if they had arrived encrypted. */
async function upgrade(socket: Socket, name: string, { signal, maxBytes }: Opening): Promise<void> {
  const session = openSession(socket, { signal, maxBytes })
  const { status } = await session.ask((messageId) => new ExtendedRequest({ messageId, oid: startTlsOid }))
  if (status !== 0) {
    session.close()
    throw new Fault('unavailable', 'ldap-start-tls-unsupported', { host: name })
  }
  session.release()
}

/**
 * Connects to the directory, with TLS if the target says so, and always verifies the certificate. The outbound rules
 * have checked the host's addresses, and it connects to one of those.
 */
export async function connectTo(target: LdapTarget, opening: Opening): Promise<Session> {
  const { admit, systemCa, signal, maxBytes } = opening
  const { secure, host, port, name } = readTarget(target)
  const pinned = await admit(isIP(host) === 6 ? `[${host}]` : host, signal)
  const plain = await until(tcpConnect({ host, port, lookup: pinnedLookup(pinned), noDelay: true }), 'connect', signal)
  if (!secure && !target.startTls) return openSession(plain, { signal, maxBytes })
  // from here on errors are those of the encrypted socket
  plain.on('error', () => {})
  if (!secure) await upgrade(plain, name, opening)
  const ca = target.ca !== '' ? target.ca : systemCa === undefined ? undefined : [...rootCertificates, systemCa]
  const encrypted = tlsConnect({
    socket: plain,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
    minVersion: 'TLSv1.2',
  })
  const ready = await until(encrypted, 'secureConnect', signal).catch((error: NodeJS.ErrnoException) => {
    // a server without TLS closes the connection
    throw error.code === 'ECONNRESET' ? new Fault('unavailable', 'ldap-tls-missing', { host: name }) : error
  })
  return openSession(ready, { signal, maxBytes })
}
