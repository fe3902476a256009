import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Cluster } from '../cluster.ts'
import type { Programs } from '../node/programs.ts'
import { ApiError } from '../objects/status.ts'
import { administrator, anonymous, type Attributes, impersonated, isAllowed, refuse, type User } from './access.ts'
import type { Target } from './request.ts'
import { verbOf } from './resources.ts'
import { accountOf } from './tokens.ts'

export interface ApiOptions {
  cluster: Cluster
  programs: Programs
  /** The bearer token in the kubeconfig. */
  token: string
  /** Aborts when the sandbox ends, which ends watches and followed logs. */
  stopped: AbortSignal
  onError(error: unknown): void
}

const same = (a: string, b: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

const users = { group: '', plural: 'users' }

function bearerOf({ cluster, token }: Pick<ApiOptions, 'cluster' | 'token'>, given: string | undefined): User {
  if (given === undefined) return anonymous
  const user = same(given, token) ? administrator : accountOf(cluster, token, given)
  if (!user) throw new ApiError(401, 'Unauthorized', 'Unauthorized')
  return user
}

/** The user of a request. A wrong token is refused; another kind of credential, such as a password, is ignored. */
export function userOf(options: Pick<ApiOptions, 'cluster' | 'token'>, request: IncomingMessage): User {
  const user = bearerOf(options, /^Bearer +(\S+)/i.exec(request.headers.authorization ?? '')?.[1])
  const other = impersonated(request.headersDistinct)
  if (!other) return user
  const wanted: Attributes = { verb: 'impersonate', group: '', resource: 'users', name: other.name }
  if (!isAllowed(options.cluster, user, wanted)) refuse(user, wanted, users)
  return other
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
