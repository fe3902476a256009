import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Cluster } from '../cluster.ts'
import type { Programs } from '../node/programs.ts'
import { ApiError } from '../objects/status.ts'
import { administrator, anonymous, type Attributes, impersonated, refuse, type User } from './access.ts'
import type { Target } from './request.ts'
import { verbOf } from './resources.ts'

export interface ApiOptions {
  cluster: Cluster
  programs: Programs
  /** The bearer token that the kubeconfig carries. */
  token: string
  /** Fires when the sandbox ends: watches and followed logs end with it. */
  stopped: AbortSignal
  onError(error: unknown): void
}

const same = (a: string, b: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

const users = { group: '', plural: 'users' }

/** Who asks. A token that is wrong is refused; what is no token, as a password, is ignored. */
export function userOf(request: IncomingMessage, token: string): User {
  const given = /^Bearer +(\S+)/i.exec(request.headers.authorization ?? '')?.[1]
  if (given !== undefined && !same(given, token)) throw new ApiError(401, 'Unauthorized', 'Unauthorized')
  const other = impersonated(request.headersDistinct)
  if (given !== undefined) return other ?? administrator
  if (other) refuse(anonymous, { verb: 'impersonate', group: '', resource: 'users', name: other.name }, users)
  return anonymous
}

export function attributesOf(target: Target, method: string, query: URLSearchParams): Attributes {
  const { kind, namespace, name, subresource } = target
  return {
    verb: verbOf(method, query, name),
    group: kind.group,
    resource: kind.plural,
    subresource,
    namespace: kind.resource === 'namespaces' ? name : namespace,
    name,
  }
}
