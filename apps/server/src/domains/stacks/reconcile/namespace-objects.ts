import type {
  V1Namespace,
  V1NetworkPolicy,
  V1ResourceQuota,
  V1Role,
  V1RoleBinding,
  V1ServiceAccount,
} from '@kubernetes/client-node'
import { labels, madeFor, managed } from '../../../adapters/kube/labels.ts'
import type { Wire } from '../../../adapters/kube/objects.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { Resource } from '../../../adapters/kube/resources.ts'
import type { Amount } from '@gantry/contract/quotas/quotas'
import { shareName } from '../../quotas/public.ts'

export interface NamespaceOf {
  teamId: number
  stackUuid: string
  namespace: string
  /** Whether its pods are a part of the cluster's Istio. */
  istio?: boolean
}

/** The namespace of a stack as it is stored. */
export const placeOf = (stack: { teamId: number; uuid: string; namespace: string; istio?: boolean }): NamespaceOf => ({
  teamId: stack.teamId,
  stackUuid: stack.uuid,
  namespace: stack.namespace,
  ...(stack.istio && { istio: true }),
})

const ownLabels = ({ teamId, stackUuid }: NamespaceOf) => ({
  ...managed,
  [labels.team]: String(teamId),
  [labels.stack]: stackUuid,
})

/** Pod Security `baseline`: no host paths, no privileges, no host network. More needs an administrator. */
export const namespaceObject = (of: NamespaceOf): Wire<V1Namespace> => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: of.namespace,
    labels: {
      ...ownLabels(of),
      'pod-security.kubernetes.io/enforce': 'baseline',
      'pod-security.kubernetes.io/warn': 'restricted',
      ...(of.istio && { 'istio-injection': 'enabled' }),
    },
  },
})

/** Deny by default: pods can be reached only from namespaces of the same team. */
export const networkPolicy = (of: NamespaceOf): Wire<V1NetworkPolicy> => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'gantry-team-only', namespace: of.namespace, labels: ownLabels(of) },
  spec: {
    podSelector: {},
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ namespaceSelector: { matchLabels: { [labels.team]: String(of.teamId) } } }] }],
  },
})

/** More than any cluster has. Kubernetes counts an unlimited resource only if the quota names it. */
const unbounded = { cpu: '1000000', memory: '1000000Ti' }

/** The stack's hard share; without one the object limits nothing and only shows what is used. */
export const resourceQuota = (of: NamespaceOf, share: Amount): Wire<V1ResourceQuota> => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: shareName, namespace: of.namespace, labels: ownLabels(of) },
  spec: {
    hard: {
      'limits.cpu': share.cpu === null ? unbounded.cpu : `${Math.round(share.cpu * 1000)}m`,
      'limits.memory': share.memory === null ? unbounded.memory : `${Math.round(share.memory * 1024)}Mi`,
      'count/pods': '1000',
    },
  },
})

const writes = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']
const reads = ['get', 'list', 'watch']

/** What the product may do in the team's name: nothing about the namespace itself, its quota or its rules. */
export const teamRole = (of: NamespaceOf): Wire<V1Role> => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'gantry-team', namespace: of.namespace, labels: ownLabels(of) },
  rules: [
    {
      apiGroups: ['apps'],
      resources: ['deployments', 'deployments/scale', 'statefulsets', 'replicasets'],
      verbs: writes,
    },
    { apiGroups: [''], resources: ['services', 'secrets', 'configmaps'], verbs: writes },
    { apiGroups: [''], resources: ['pods'], verbs: [...reads, 'delete'] },
    { apiGroups: [''], resources: ['pods/log', 'events', 'endpoints'], verbs: reads },
    { apiGroups: [''], resources: ['pods/exec'], verbs: ['get', 'create'] },
  ],
})

/**
 * What only some services need. It is a role of its own, written when the first of them comes: the product's account in a
 * cluster that was joined before may not have these rights, and can then not hand them on.
 */
export const workloadsRole = (of: NamespaceOf): Wire<V1Role> => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'gantry-team-workloads', namespace: of.namespace, labels: ownLabels(of) },
  rules: [
    { apiGroups: ['apps'], resources: ['daemonsets'], verbs: writes },
    { apiGroups: ['batch'], resources: ['jobs', 'cronjobs'], verbs: writes },
    { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: writes },
    { apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: writes },
  ],
})

/** For debug containers, written when the first is asked for: an account of before has no such right to hand on. */
export const debugRole = (of: NamespaceOf): Wire<V1Role> => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'gantry-team-debug', namespace: of.namespace, labels: ownLabels(of) },
  rules: [{ apiGroups: [''], resources: ['pods/ephemeralcontainers'], verbs: ['get', 'patch'] }],
})

/** What only services need that reach outward, or are reached from there. */
export const outwardRole = (of: NamespaceOf): Wire<V1Role> => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'gantry-team-outward', namespace: of.namespace, labels: ownLabels(of) },
  rules: [
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: writes },
    { apiGroups: ['networking.k8s.io'], resources: ['ingresses'], verbs: writes },
    { apiGroups: ['gateway.networking.k8s.io'], resources: ['gateways', 'httproutes'], verbs: writes },
  ],
})

/** Kinds for which the team gets rights when the first service needs them. */
const later: readonly [role: (of: NamespaceOf) => Wire<V1Role>, of: readonly Resource[]][] = [
  [
    workloadsRole,
    [kinds.daemonSets, kinds.jobs, kinds.cronJobs, kinds.disruptionBudgets, kinds.persistentVolumeClaims],
  ],
  [outwardRole, [kinds.endpointSlices, kinds.ingresses, kinds.gateways, kinds.httpRoutes]],
]

export const isGrantedLater = (resource: Resource): boolean => later.some(([, of]) => of.includes(resource))

/** The roles that grant rights to these kinds. */
export const rolesFor = (of: NamespaceOf, resources: readonly Resource[]): Wire<V1Role>[] =>
  later.filter(([, kinds]) => kinds.some((kind) => resources.includes(kind))).map(([role]) => role(of))

/**
 * Where the accounts of kubeconfigs are. In the namespace of a stack, whoever may create a pod or a secret there would have
 * a token of such an account for as long as they like. No stack has a namespace of this name: `namespaceOf` sees to it.
 */
export const accountsNamespace = 'gantry-kubeconfigs'

export const accountsNamespaceObject = (environment: string): Wire<V1Namespace> => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: accountsNamespace, labels: madeFor(environment) },
})

/**
 * Whose token a member takes out of the console, to work on the namespace with tools of their own. It is called like the
 * namespace that it reaches, and goes with it: `uid` is that of the namespace.
 */
export const teamAccount = (of: NamespaceOf, uid: string): Wire<V1ServiceAccount> => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: {
    name: of.namespace,
    namespace: accountsNamespace,
    labels: ownLabels(of),
    ownerReferences: [{ apiVersion: 'v1', kind: 'Namespace', name: of.namespace, uid }],
  },
  automountServiceAccountToken: false,
})

/** The account is named also where nobody has asked for it yet: so it has each right that the team gets later. */
export const teamRoleBinding = (of: NamespaceOf, role: Wire<V1Role>): Wire<V1RoleBinding> => {
  const name = role.metadata?.name ?? ''
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name, namespace: of.namespace, labels: ownLabels(of) },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: `gantry:team:${of.teamId}` },
      { kind: 'ServiceAccount', name: of.namespace, namespace: accountsNamespace },
    ],
  }
}
