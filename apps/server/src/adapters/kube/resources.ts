import type * as k8s from '@kubernetes/client-node'
import type * as gateway from './gateway.ts'
import type { KubeObject, Wire } from './objects.ts'

declare const object: unique symbol

/** A kind of object, in the API server's terms. The type parameter is the type of its objects. */
export interface Resource<T extends KubeObject = KubeObject> {
  group: string
  version: string
  kind: string
  plural: string
  namespaced: boolean
  readonly [object]?: T
}

type Named<T> = Wire<T> & KubeObject

const resource = <T>(apiVersion: string, kind: string, plural: string, namespaced = true): Resource<Named<T>> => {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  return { group: group ?? '', version: version ?? '', kind, plural, namespaced }
}
const clusterWide = <T>(apiVersion: string, kind: string, plural: string) =>
  resource<T>(apiVersion, kind, plural, false)

export const apiVersionOf = ({ group, version }: Resource): string => (group ? `${group}/${version}` : version)

export const pods = resource<k8s.V1Pod>('v1', 'Pod', 'pods')
export const services = resource<k8s.V1Service>('v1', 'Service', 'services')
export const configMaps = resource<k8s.V1ConfigMap>('v1', 'ConfigMap', 'configmaps')
/** Read one by one where a rule needs it; never listed into a cache. */
export const secrets = resource<k8s.V1Secret>('v1', 'Secret', 'secrets')
export const serviceAccounts = resource<k8s.V1ServiceAccount>('v1', 'ServiceAccount', 'serviceaccounts')
export const events = resource<k8s.CoreV1Event>('v1', 'Event', 'events')
export const resourceQuotas = resource<k8s.V1ResourceQuota>('v1', 'ResourceQuota', 'resourcequotas')
export const limitRanges = resource<k8s.V1LimitRange>('v1', 'LimitRange', 'limitranges')
export const nodes = clusterWide<k8s.V1Node>('v1', 'Node', 'nodes')
export const namespaces = clusterWide<k8s.V1Namespace>('v1', 'Namespace', 'namespaces')

export const deployments = resource<k8s.V1Deployment>('apps/v1', 'Deployment', 'deployments')
export const statefulSets = resource<k8s.V1StatefulSet>('apps/v1', 'StatefulSet', 'statefulsets')
export const daemonSets = resource<k8s.V1DaemonSet>('apps/v1', 'DaemonSet', 'daemonsets')
export const replicaSets = resource<k8s.V1ReplicaSet>('apps/v1', 'ReplicaSet', 'replicasets')
export const jobs = resource<k8s.V1Job>('batch/v1', 'Job', 'jobs')
export const cronJobs = resource<k8s.V1CronJob>('batch/v1', 'CronJob', 'cronjobs')
export const disruptionBudgets = resource<k8s.V1PodDisruptionBudget>(
  'policy/v1',
  'PodDisruptionBudget',
  'poddisruptionbudgets',
)

export const autoscalers = resource<k8s.V2HorizontalPodAutoscaler>(
  'autoscaling/v2',
  'HorizontalPodAutoscaler',
  'horizontalpodautoscalers',
)

export const networkPolicies = resource<k8s.V1NetworkPolicy>('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies')

const rbac = 'rbac.authorization.k8s.io/v1'
export const roles = resource<k8s.V1Role>(rbac, 'Role', 'roles')
export const roleBindings = resource<k8s.V1RoleBinding>(rbac, 'RoleBinding', 'rolebindings')
export const clusterRoles = clusterWide<k8s.V1ClusterRole>(rbac, 'ClusterRole', 'clusterroles')
export const clusterRoleBindings = clusterWide<k8s.V1ClusterRoleBinding>(
  rbac,
  'ClusterRoleBinding',
  'clusterrolebindings',
)

export const persistentVolumes = clusterWide<k8s.V1PersistentVolume>('v1', 'PersistentVolume', 'persistentvolumes')
export const persistentVolumeClaims = resource<k8s.V1PersistentVolumeClaim>(
  'v1',
  'PersistentVolumeClaim',
  'persistentvolumeclaims',
)
export const storageClasses = clusterWide<k8s.V1StorageClass>('storage.k8s.io/v1', 'StorageClass', 'storageclasses')
export const ingressClasses = clusterWide<k8s.V1IngressClass>('networking.k8s.io/v1', 'IngressClass', 'ingressclasses')

const metrics = 'metrics.k8s.io/v1beta1'
/** The present usage of a node or a pod, if the cluster has a metrics server; named like the measured object. */
export const nodeMetrics = clusterWide<k8s.NodeMetric>(metrics, 'NodeMetrics', 'nodes')
export const podMetrics = resource<k8s.PodMetric>(metrics, 'PodMetrics', 'pods')

/** Only read for Istio: a cluster without Istio does not have this kind. */
export const virtualServices = resource<object>('networking.istio.io/v1', 'VirtualService', 'virtualservices')

export const endpointSlices = resource<k8s.V1EndpointSlice>('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices')
export const ingresses = resource<k8s.V1Ingress>('networking.k8s.io/v1', 'Ingress', 'ingresses')
/** Address ranges of services; a cluster before Kubernetes 1.33 does not have this kind. */
export const serviceCidrs = clusterWide<{ spec?: { cidrs?: string[] } }>(
  'networking.k8s.io/v1',
  'ServiceCIDR',
  'servicecidrs',
)

const gatewayApi = 'gateway.networking.k8s.io/v1'
/** The Gateway API is not a part of Kubernetes itself: a cluster may not have these kinds. */
export const gatewayClasses = clusterWide<gateway.GatewayClass>(gatewayApi, 'GatewayClass', 'gatewayclasses')
export const gateways = resource<gateway.Gateway>(gatewayApi, 'Gateway', 'gateways')
export const httpRoutes = resource<gateway.HttpRoute>(gatewayApi, 'HTTPRoute', 'httproutes')
