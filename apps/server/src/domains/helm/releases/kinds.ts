import type { KubeObject } from '../../../adapters/kube/objects.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { Resource } from '../../../adapters/kube/resources.ts'

const plain = (group: string, version: string, kind: string, plural: string): Resource => ({
  group,
  version,
  kind,
  plural,
  namespaced: true,
})

const ingresses = plain('networking.k8s.io', 'v1', 'Ingress', 'ingresses')

/** Kinds that a team may have in its namespaces by its roles there (`rights.ts`); all others need an administrator. */
const ofTeams: readonly Resource[] = [
  kinds.pods,
  kinds.services,
  kinds.configMaps,
  kinds.secrets,
  kinds.serviceAccounts,
  kinds.persistentVolumeClaims,
  kinds.deployments,
  kinds.statefulSets,
  kinds.daemonSets,
  kinds.replicaSets,
  kinds.jobs,
  kinds.cronJobs,
  kinds.disruptionBudgets,
  kinds.roles,
  kinds.roleBindings,
  ingresses,
  kinds.autoscalers,
]

const clusterWide = new Set([
  'Namespace',
  'Node',
  'PersistentVolume',
  'ClusterRole',
  'ClusterRoleBinding',
  'StorageClass',
  'IngressClass',
  'PriorityClass',
  'RuntimeClass',
  'CSIDriver',
  'APIService',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
])

export const isClusterWide = (kind: string): boolean => clusterWide.has(kind)

const groupOf = (apiVersion: string): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '')

/** The kind of an object in the version that it names; undefined if a team may not have it. */
export function teamKind({
  apiVersion = '',
  kind = '',
}: Pick<KubeObject, 'apiVersion' | 'kind'>): Resource | undefined {
  const found = ofTeams.find((one) => one.kind === kind && one.group === groupOf(apiVersion))
  return found && { ...found, version: apiVersion.split('/').at(-1) ?? found.version }
}
