import type { Cluster } from '../cluster.ts'
import type { Kind } from '../objects/kinds.ts'
import { ApiError, forbidden } from '../objects/status.ts'
import type { PolicyRule, RoleBinding } from '../objects/types.ts'

export interface User {
  name: string
  groups: string[]
}

/** The user of the kubeconfig's token. */
export const administrator: User = { name: 'sandbox-admin', groups: ['system:masters', 'system:authenticated'] }

export const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

export interface Attributes {
  verb: string
  group: string
  resource: string
  subresource?: string | undefined
  namespace?: string | undefined
  name?: string | undefined
}

function allows(rule: PolicyRule, wanted: Attributes): boolean {
  const has = (list: string[] | undefined, value: string): boolean =>
    list?.includes('*') === true || list?.includes(value) === true
  const resource = wanted.subresource ? `${wanted.resource}/${wanted.subresource}` : wanted.resource
  const named = !rule.resourceNames?.length || rule.resourceNames.includes(wanted.name ?? '')
  const covered =
    has(rule.resources, resource) ||
    (wanted.subresource !== undefined && has(rule.resources, `*/${wanted.subresource}`))
  return has(rule.verbs, wanted.verb) && has(rule.apiGroups, wanted.group) && covered && named
}

function binds({ subjects }: RoleBinding, user: User): boolean {
  return (subjects ?? []).some((subject) => {
    if (subject.kind === 'User') return subject.name === user.name
    if (subject.kind === 'Group') return user.groups.includes(subject.name)
    return user.name === `system:serviceaccount:${subject.namespace}:${subject.name}`
  })
}

const all = ['*']
const health = ['/healthz', '/livez', '/readyz', '/version', '/version/']

/** Roles that every cluster binds to all users, or to all authenticated users; they are not stored here. */
const builtIn: Record<string, PolicyRule[]> = {
  'system:masters': [
    { verbs: all, apiGroups: all, resources: all },
    { verbs: all, nonResourceURLs: all },
  ],
  'system:authenticated': [
    {
      verbs: ['create'],
      apiGroups: ['authorization.k8s.io'],
      resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
    },
    { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
    {
      verbs: ['get'],
      nonResourceURLs: ['/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*', ...health],
    },
  ],
  'system:unauthenticated': [{ verbs: ['get'], nonResourceURLs: health }],
}

/** Role-based access control by the stored roles and bindings: a user's rules in a namespace, and cluster-wide. */
export function* rulesOf({ store }: Cluster, user: User, namespace: string | undefined): Generator<PolicyRule> {
  for (const group of user.groups) yield* builtIn[group] ?? []
  const bindings = [
    ...store.list('clusterrolebindings.rbac.authorization.k8s.io'),
    ...(namespace === undefined ? [] : store.list('rolebindings.rbac.authorization.k8s.io', namespace)),
  ]
  for (const binding of bindings) {
    if (!binds(binding, user)) continue
    const { kind, name } = binding.roleRef
    const role =
      kind === 'ClusterRole'
        ? store.get('clusterroles.rbac.authorization.k8s.io', undefined, name)
        : store.get('roles.rbac.authorization.k8s.io', binding.metadata.namespace, name)
    yield* role?.rules ?? []
  }
}

export function isAllowed(cluster: Cluster, user: User, wanted: Attributes): boolean {
  for (const rule of rulesOf(cluster, user, wanted.namespace)) if (allows(rule, wanted)) return true
  return false
}

/** Refuses a user who may not read a path that is not a resource: discovery and health. */
export function mustRead(cluster: Cluster, user: User, path: string): void {
  const covers = (url: string): boolean => url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1)))
  for (const { nonResourceURLs } of rulesOf(cluster, user, undefined)) if (nonResourceURLs?.some(covers)) return
  throw new ApiError(403, 'Forbidden', `forbidden: User "${user.name}" cannot get path "${path}"`, {})
}

export function refuse(user: User, wanted: Attributes, kind: Pick<Kind, 'group' | 'plural'>): never {
  const resource = wanted.subresource ? `${wanted.resource}/${wanted.subresource}` : wanted.resource
  const where = wanted.namespace === undefined ? 'at the cluster scope' : `in the namespace "${wanted.namespace}"`
  throw forbidden(
    kind,
    wanted.name ?? '',
    `User "${user.name}" cannot ${wanted.verb} resource "${resource}" in API group "${wanted.group}" ${where}`,
  )
}

/** The user from `Impersonate-User` and `Impersonate-Group`. */
export function impersonated(headers: NodeJS.Dict<string[]>): User | undefined {
  const name = headers['impersonate-user']?.[0]
  if (!name) return undefined
  const groups = headers['impersonate-group'] ?? []
  return { name, groups: [...new Set([...groups, 'system:authenticated'])] }
}
