import type { Cluster } from '../cluster.ts'
import type { Kind } from '../objects/kinds.ts'
import { forbidden } from '../objects/status.ts'
import type { PolicyRule, RoleBinding } from '../objects/types.ts'

export interface User {
  name: string
  groups: string[]
}

/** The bearer of the kubeconfig's token. */
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

/** Role-based access control over the roles and bindings that are stored. */
export function isAllowed({ store }: Cluster, user: User, wanted: Attributes): boolean {
  if (user.groups.includes('system:masters')) return true
  if (wanted.group === 'authorization.k8s.io' && wanted.resource.startsWith('selfsubject')) return true
  const permits = (binding: RoleBinding): boolean => {
    if (!binds(binding, user)) return false
    const { kind, name } = binding.roleRef
    const role =
      kind === 'ClusterRole'
        ? store.get('clusterroles.rbac.authorization.k8s.io', undefined, name)
        : store.get('roles.rbac.authorization.k8s.io', binding.metadata.namespace, name)
    return role?.rules?.some((rule) => allows(rule, wanted)) === true
  }
  return (
    store.list('clusterrolebindings.rbac.authorization.k8s.io').some(permits) ||
    (wanted.namespace !== undefined &&
      store.list('rolebindings.rbac.authorization.k8s.io', wanted.namespace).some(permits))
  )
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

/** The user that `Impersonate-User` and `Impersonate-Group` name; only the administrator may ask. */
export function impersonated(headers: NodeJS.Dict<string[]>): User | undefined {
  const name = headers['impersonate-user']?.[0]
  if (!name) return undefined
  const groups = headers['impersonate-group'] ?? []
  return { name, groups: [...new Set([...groups, 'system:authenticated'])] }
}
