import type { Node } from './nodes.ts'
import type * as s from './storage.ts'
import type * as t from './types.ts'
import type * as w from './workloads.ts'

/** The type of a resource's objects; resources have the names of Kubernetes' quotas, `<plural>.<group>`. */
export interface ObjectOf {
  pods: t.Pod
  services: t.Service
  endpoints: t.Endpoints
  namespaces: t.Namespace
  nodes: Node
  configmaps: t.ConfigMap
  secrets: t.Secret
  events: t.Event
  persistentvolumeclaims: s.Claim
  persistentvolumes: s.PersistentVolume
  resourcequotas: t.ResourceQuota
  limitranges: t.LimitRange
  'storageclasses.storage.k8s.io': s.StorageClass
  'deployments.apps': w.Deployment
  'replicasets.apps': w.ReplicaSet
  'statefulsets.apps': w.StatefulSet
  'daemonsets.apps': w.DaemonSet
  'jobs.batch': w.Job
  'cronjobs.batch': w.CronJob
  'poddisruptionbudgets.policy': w.DisruptionBudget
  'roles.rbac.authorization.k8s.io': t.Role
  'clusterroles.rbac.authorization.k8s.io': t.Role
  'rolebindings.rbac.authorization.k8s.io': t.RoleBinding
  'clusterrolebindings.rbac.authorization.k8s.io': t.RoleBinding
}
export type Of<R extends string> = R extends keyof ObjectOf ? ObjectOf[R] : t.Obj
