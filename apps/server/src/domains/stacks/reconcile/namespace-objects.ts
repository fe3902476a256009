import type { V1Namespace, V1NetworkPolicy, V1ResourceQuota, V1Role, V1RoleBinding } from '@kubernetes/client-node'
import { labels, managed } from '../../../adapters/kube/labels.ts'
import type { Wire } from '../../../adapters/kube/objects.ts'
import type { Amount } from '@gantry/contract/quotas/quotas'
import { shareName } from '../../quotas/public.ts'

export interface NamespaceOf {
  teamId: number
  stackUuid: string
  namespace: string
}

/** The namespace of a stack as it is stored. */
export const placeOf = (stack: { teamId: number; uuid: string; namespace: string }): NamespaceOf => ({
  teamId: stack.teamId,
  stackUuid: stack.uuid,
  namespace: stack.namespace,
})

const own = ({ teamId, stackUuid }: NamespaceOf) => ({
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
      ...own(of),
      'pod-security.kubernetes.io/enforce': 'baseline',
      'pod-security.kubernetes.io/warn': 'restricted',
    },
  },
})

/** Deny by default: pods can be reached only from namespaces of the same team. */
export const networkPolicy = (of: NamespaceOf): Wire<V1NetworkPolicy> => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'gantry-team-only', namespace: of.namespace, labels: own(of) },
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
  metadata: { name: shareName, namespace: of.namespace, labels: own(of) },
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
  metadata: { name: 'gantry-team', namespace: of.namespace, labels: own(of) },
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

export const teamRoleBinding = (of: NamespaceOf): Wire<V1RoleBinding> => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: 'gantry-team', namespace: of.namespace, labels: own(of) },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'gantry-team' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: `gantry:team:${of.teamId}` }],
})
