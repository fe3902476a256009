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
  /** Whether its pods are part of the cluster's Istio mesh. */
  istio?: boolean
}

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

/** What the product may do on behalf of the team: nothing about the namespace itself, its quota or its rules. */
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
 * Permissions that only some services need. A separate role, applied when the first of them is created, because the
 * product's account in a cluster that was joined earlier may lack these permissions and then cannot grant them.
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

/** For debug containers; applied with the first one, as older accounts lack this permission and cannot grant it. */
export const debugRole = (of: NamespaceOf): Wire<V1Role> => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'gantry-team-debug', namespace: of.namespace, labels: ownLabels(of) },
  rules: [{ apiGroups: [''], resources: ['pods/ephemeralcontainers'], verbs: ['get', 'patch'] }],
})

/** Permissions only for services that reach outward, or are reached from outside. */
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

/** Kinds for which the team gets permissions when the first service needs them. */
const later: readonly [role: (of: NamespaceOf) => Wire<V1Role>, of: readonly Resource[]][] = [
  [
    workloadsRole,
    [kinds.daemonSets, kinds.jobs, kinds.cronJobs, kinds.disruptionBudgets, kinds.persistentVolumeClaims],
  ],
  [outwardRole, [kinds.endpointSlices, kinds.ingresses, kinds.gateways, kinds.httpRoutes]],
]

export const isGrantedLater = (resource: Resource): boolean => later.some(([, of]) => of.includes(resource))

/** The roles that grant permissions for these kinds. */
export const rolesFor = (of: NamespaceOf, resources: readonly Resource[]): Wire<V1Role>[] =>
  later.filter(([, kinds]) => kinds.some((kind) => resources.includes(kind))).map(([role]) => role(of))

/**
 * The namespace of the accounts of kubeconfigs. In the namespace of a stack, anyone who may create a pod or a secret
 * could get a token of such an account and keep it. No stack has a namespace of this name: `namespaceOf` ensures that.
 */
export const accountsNamespace = 'gantry-kubeconfigs'

export const accountsNamespaceObject = (clusterId: string): Wire<V1Namespace> => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: accountsNamespace, labels: madeFor(clusterId) },
})

/**
 * The account whose token a member gets from the console, to work on a namespace with other tools. It has the same name
 * as the namespace, and is deleted with it: `uid` is that of the namespace.
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

/** Binds the account even if nobody has requested it yet, so that it gets each permission that the team gets later. */
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
