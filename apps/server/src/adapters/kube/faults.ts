import { Fault } from '../../kernel/fault.ts'
import type { FaultKind } from '../../kernel/fault.ts'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { KubeError } from './errors.ts'
import type { KubeKind } from './errors.ts'
import { maxPerTeam } from './transport/connection-limits.ts'

// a cluster's 401 never becomes the server's own, which would end the user's session
const table: Record<KubeKind, [FaultKind, PhraseKey]> = {
  refused: ['unavailable', 'kube-refused'],
  reset: ['unavailable', 'kube-reset'],
  timeout: ['unavailable', 'kube-timeout'],
  dns: ['unavailable', 'kube-dns'],
  tls: ['badGateway', 'kube-tls'],
  'tls-untrusted': ['badGateway', 'kube-tls-untrusted'],
  'tls-expired': ['badGateway', 'kube-tls-expired'],
  'tls-name': ['badGateway', 'kube-tls-name'],
  'tls-missing': ['badGateway', 'kube-tls-missing'],
  'tls-required': ['badGateway', 'kube-tls-required'],
  blocked: ['invalid', 'kube-blocked'],
  busy: ['tooMany', 'kube-busy'],
  crowded: ['tooMany', 'kube-crowded'],
  agent: ['unavailable', 'tunnel-agent-away'],
  another: ['conflict', 'kube-another-cluster'],
  unidentified: ['unavailable', 'kube-unidentified'],
  credentials: ['badGateway', 'kube-credentials'],
  anonymous: ['badGateway', 'kube-anonymous'],
  forbidden: ['forbidden', 'kube-forbidden'],
  quota: ['conflict', 'kube-quota'],
  policy: ['invalid', 'kube-policy'],
  terminating: ['conflict', 'kube-terminating'],
  missing: ['missing', 'kube-missing'],
  exists: ['conflict', 'kube-exists'],
  conflict: ['conflict', 'kube-conflict'],
  gone: ['conflict', 'kube-gone'],
  invalid: ['invalid', 'kube-invalid'],
  throttled: ['unavailable', 'kube-throttled'],
  server: ['badGateway', 'kube-server'],
  protocol: ['badGateway', 'kube-protocol'],
  'too-large': ['tooLarge', 'kube-too-large'],
}

/** Their texts contain addresses inside a network: administrators see them, others what it means for them. */
const outages: ReadonlySet<KubeKind> = new Set([
  'refused',
  'reset',
  'timeout',
  'dns',
  'tls',
  'tls-untrusted',
  'tls-expired',
  'tls-name',
  'tls-missing',
  'tls-required',
  'blocked',
  'agent',
  'unidentified',
  'throttled',
  'server',
  'protocol',
])

function plainOf({ kind, impersonated }: KubeError): PhraseKey | undefined {
  if (outages.has(kind)) return 'clusters-health-unreachable'
  if (kind === 'another') return 'clusters-another-answers-plain'
  const ofCredentials = kind === 'credentials' || kind === 'anonymous' || (kind === 'forbidden' && !impersonated)
  return ofCredentials ? 'clusters-health-credentials' : undefined
}

const text = (message: string) => message.replace(/[.。\s]+$/, '').slice(0, 500)

/** Maps a cluster's failure to a fault; returns anything but a KubeError unchanged. `throw kubeFault(error)`. */
export function kubeFault(error: unknown): unknown {
  if (!(error instanceof KubeError)) return error
  if (error.kind === 'blocked' && error.cause instanceof Fault) return error.cause
  const [kind, key] =
    error.kind === 'forbidden' && !error.impersonated
      ? (['badGateway', 'kube-own-forbidden'] as const)
      : table[error.kind]
  const vars = {
    server: error.server,
    reason: text(error.message),
    status: error.status,
    seconds: error.retryAfter ?? 1,
    since: error.since,
    most: maxPerTeam,
  }
  return new Fault(kind, key, vars, null, plainOf(error))
}
