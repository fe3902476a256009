import type { V1Status } from '@kubernetes/client-node'
import { causesOf, certificateProblem, type CertificateProblem, codeOf } from '../outbound/causes.ts'
import type { Wire } from './objects.ts'

/**
 * Why a call to a cluster failed.
 *
 * From the network: refused, reset, timeout, dns, tls (no handshake), tls-untrusted, tls-expired and tls-name (the
 * server's certificate), tls-missing (plain http where https was dialled), blocked (our own outbound rules), busy (our
 * own queue is full, or waiting in it took the time), crowded (the team has as many logs and terminals open as it may),
 * agent (the cluster's agent is not connected to this process, since when), another (another cluster than the
 * environment's answers at the address), unidentified (the identity of the environment's cluster has not been read
 * yet).
 * From the answer: tls-required (https where plain http was dialled), credentials (401), anonymous (the server ignores
 * the credentials), forbidden, quota, policy (Pod Security) and terminating (403), missing (404), exists and conflict
 * (409), gone (410), invalid (400, 422), throttled (429), server (5xx), protocol (not Kubernetes), too-large (more than
 * the caller reads).
 */
export type KubeKind =
  | 'refused'
  | 'reset'
  | 'timeout'
  | 'dns'
  | 'tls'
  | `tls-${CertificateProblem | 'missing' | 'required'}`
  | 'blocked'
  | 'busy'
  | 'crowded'
  | 'agent'
  | 'another'
  | 'unidentified'
  | 'credentials'
  | 'anonymous'
  | 'forbidden'
  | 'quota'
  | 'policy'
  | 'terminating'
  | 'missing'
  | 'exists'
  | 'conflict'
  | 'gone'
  | 'invalid'
  | 'throttled'
  | 'server'
  | 'protocol'
  | 'too-large'

export type Status = Wire<V1Status>

interface Facts {
  /** The HTTP status; 0 where there was no answer. */
  status?: number
  /**
   * Kubernetes' machine-readable reason: `NotFound`, `AlreadyExists` …; empty where the answer was not a Status object.
   */
  reason?: string
  details?: Status['details'] | undefined
  /** Seconds that the cluster, or our circuit breaker, asks to wait. */
  retryAfter?: number | undefined
  /** True if the request was not sent, because the cluster failed shortly before. */
  resting?: boolean
  /** True if the request was made in a user's name. */
  impersonated?: boolean
  /** For `agent`: to the minute, in UTC. */
  since?: string
  cause?: unknown
}

/** What every call to a cluster throws, except the caller's own abort reason, which passes unchanged. */
export class KubeError extends Error {
  readonly kind: KubeKind
  /** Host and port of the API server. */
  readonly server: string
  readonly status: number
  readonly reason: string
  readonly details: Status['details'] | undefined
  readonly retryAfter: number | undefined
  readonly resting: boolean
  readonly impersonated: boolean
  readonly since: string

  constructor(kind: KubeKind, server: string, message: string, facts: Facts = {}) {
    super(message, { cause: facts.cause })
    this.name = 'KubeError'
    this.kind = kind
    this.server = server
    this.status = facts.status ?? 0
    this.reason = facts.reason ?? ''
    this.details = facts.details
    this.retryAfter = facts.retryAfter
    this.resting = facts.resting ?? false
    this.impersonated = facts.impersonated ?? false
    this.since = facts.since ?? ''
  }
}

export const isKube = (error: unknown, ...kinds: KubeKind[]): error is KubeError =>
  error instanceof KubeError && (kinds.length === 0 || kinds.includes(error.kind))

/** Failures of the cluster itself: they open the circuit breaker. */
export const isOutage = (error: KubeError): boolean =>
  ['refused', 'reset', 'timeout', 'dns', 'protocol'].includes(error.kind) ||
  error.kind.startsWith('tls') ||
  (error.kind === 'server' && error.status !== 500)

function kindOfCode(code: string): KubeKind | undefined {
  if (/ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_EXPIRED|CERTIFICATE_REVOKED)/.test(code))
    return 'credentials'
  if (/^(ERR_(TLS|SSL|OSSL)|CERT_)/.test(code)) return 'tls'
  if (code.startsWith('HPE_')) return 'protocol'
  switch (code) {
    case 'EPROTO':
    // a server name that TLS does not accept
    case 'ERR_INVALID_ARG_VALUE':
      return 'tls'
    case 'Z_DATA_ERROR':
      return 'protocol'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'dns'
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
    case 'ETIMEDOUT':
      return 'timeout'
    case 'ECONNREFUSED':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
      return 'refused'
    default:
      return undefined
  }
}

/** OpenSSL's codes for an answer in plain text. */
const plainText = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'])

function kindOfNetwork(error: unknown): KubeKind {
  const causes = [...causesOf(error)]
  const codes = causes.map(codeOf)
  const certificate = certificateProblem(codes)
  if (certificate) return `tls-${certificate}`
  if (codes.some((code) => plainText.has(code))) return 'tls-missing'
  // undici gives some errors of its parser no code
  if (causes.some(({ name }) => name === 'HTTPParserError')) return 'protocol'
  return codes.map(kindOfCode).find((kind) => kind !== undefined) ?? 'reset'
}

/**
 * Maps an error of undici, ws, TLS or the resolver to a cause that a user can act on. The error's own text is for the
 * log, because it names libraries and their source.
 */
export function networkError(error: unknown, server: string): KubeError {
  if (error instanceof KubeError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new KubeError(kindOfNetwork(error), server, message, { cause: error })
}

/** The text with which Kubernetes refuses a request without credentials, or with credentials that it cannot check. */
const fromNobody = /\bforbidden: User "system:anonymous" cannot /

/** How Go, in which API servers are written, and nginx answer plain http on an https port. */
const wantsTls = /HTTP request (to an HTTPS server|was sent to HTTPS port)/

function kindOfStatus(status: number, text: string, body: Status | undefined): KubeKind {
  const message = body?.message ?? ''
  switch (status) {
    case 400:
      return body ? 'invalid' : wantsTls.test(text) ? 'tls-required' : 'protocol'
    case 401:
      return 'credentials'
    case 403:
      if (fromNobody.test(message)) return 'anonymous'
      if (message.includes('exceeded quota') || message.includes('failed quota')) return 'quota'
      if (body?.details?.causes?.some((cause) => cause.reason === 'NamespaceTerminating')) return 'terminating'
      return message.includes('violates PodSecurity') ? 'policy' : 'forbidden'
    case 404:
      return 'missing'
    case 409:
      return body?.reason === 'AlreadyExists' ? 'exists' : 'conflict'
    case 410:
      return 'gone'
    case 413:
      return 'too-large'
    case 429:
      return 'throttled'
    default:
      // The error of server-side apply for an unknown field, or a value of the wrong type.
      if (status === 500 && message.includes('failed to create typed patch object')) return 'invalid'
      if (status >= 500) return body?.reason === 'Timeout' || body?.reason === 'ServerTimeout' ? 'timeout' : 'server'
      return status >= 400 && body ? 'invalid' : 'protocol'
  }
}

const isStatus = (value: unknown): value is Status =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status'

/** The Status object in an answer's text, if there is one: proxies in between answer with their own pages. */
export function statusIn(text: string): Status | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isStatus(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** `Retry-After` in seconds; dates, which Kubernetes never sends, count as absent. */
export const retryAfterIn = (header: string | undefined): number | undefined =>
  header !== undefined && /^\d{1,5}$/.test(header) ? Number(header) : undefined

/**
 * Maps an answer other than 2xx to an error. `hide` masks sent credentials in the text, after the text was interpreted.
 */
export function answerError(
  { server, hide }: { server: string; hide: (text: string) => string },
  status: number,
  text: string,
  also: { retryAfter?: number | undefined; impersonated?: boolean } = {},
): KubeError {
  const body = statusIn(text)
  const message = body ? hide(body.message ?? '') : hide(text).slice(0, 200).trim()
  const causes = body?.details?.causes?.map(({ message, ...cause }) => ({
    ...cause,
    ...(message !== undefined && { message: hide(message) }),
  }))
  return new KubeError(kindOfStatus(status, text, body), server, message || `status ${status}`, {
    ...also,
    status,
    reason: body?.reason ?? '',
    details: causes ? { ...body?.details, causes } : body?.details,
    retryAfter: also.retryAfter ?? body?.details?.retryAfterSeconds,
  })
}
