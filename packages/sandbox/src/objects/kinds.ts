/** A kind of object in the API. */
export interface Kind {
  /** `<plural>.<group>`, or only the plural in the core group: the sandbox's name for the kind. */
  resource: string
  group: string
  version: string
  plural: string
  singular: string
  kind: string
  short: string[]
  namespaced: boolean
  subresources: string[]
  /** A change outside metadata and status increments metadata.generation. */
  generation: boolean
  /** metadata.name must be a DNS label (1123, or 1035 for services) instead of a DNS subdomain; RBAC takes path segments. */
  nameRule: 'subdomain' | 'label' | 'label-1035' | 'path'
  categories: string[]
  /** An update has to name the version on which it is based. */
  conditional: boolean
  /** Not a part of Kubernetes itself: its defaults are in its schema. */
  custom: boolean
}

interface KindOptions {
  short?: string[]
  cluster?: true
  sub?: string[]
  generation?: true
  name?: Kind['nameRule']
  all?: true
  conditional?: true
  custom?: true
}

const kind = (groupVersion: string, plural: string, name: string, given: KindOptions = {}): Kind => {
  const [version = '', group = ''] = groupVersion.split('/').toReversed()
  return {
    resource: group === '' ? plural : `${plural}.${group}`,
    group,
    version,
    plural,
    singular: name.toLowerCase(),
    kind: name,
    short: given.short ?? [],
    namespaced: given.cluster === undefined,
    subresources: given.sub ?? [],
    generation: given.generation === true,
    nameRule: given.name ?? 'subdomain',
    categories: given.all ? ['all'] : [],
    conditional: given.conditional === true || given.custom === true,
    custom: given.custom === true,
  }
}

const rbac = 'rbac.authorization.k8s.io/v1'
const gatewayApi = 'gateway.networking.k8s.io/v1'
const routing: KindOptions = { sub: ['status'], generation: true, custom: true }
const workload = { generation: true, all: true } as const

export const kinds: readonly Kind[] = [
  kind('v1', 'namespaces', 'Namespace', { short: ['ns'], cluster: true, sub: ['status', 'finalize'], name: 'label' }),
  kind('v1', 'nodes', 'Node', { short: ['no'], cluster: true, sub: ['status', 'proxy'] }),
  kind('v1', 'pods', 'Pod', {
    short: ['po'],
    sub: ['status', 'log', 'exec', 'eviction', 'binding', 'ephemeralcontainers'],
    all: true,
    generation: true,
  }),
  kind('v1', 'services', 'Service', { short: ['svc'], sub: ['status', 'proxy'], name: 'label-1035', all: true }),
  kind('v1', 'endpoints', 'Endpoints', { short: ['ep'] }),
  kind('v1', 'configmaps', 'ConfigMap', { short: ['cm'] }),
  kind('v1', 'secrets', 'Secret'),
  kind('v1', 'serviceaccounts', 'ServiceAccount', { short: ['sa'], sub: ['token'] }),
  kind('v1', 'events', 'Event', { short: ['ev'] }),
  kind('v1', 'resourcequotas', 'ResourceQuota', { short: ['quota'], sub: ['status'] }),
  kind('v1', 'limitranges', 'LimitRange', { short: ['limits'] }),
  kind('v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', { short: ['pvc'], sub: ['status'] }),
  kind('v1', 'persistentvolumes', 'PersistentVolume', { short: ['pv'], cluster: true, sub: ['status'] }),
  kind('apps/v1', 'deployments', 'Deployment', { short: ['deploy'], sub: ['status', 'scale'], ...workload }),
  kind('apps/v1', 'replicasets', 'ReplicaSet', { short: ['rs'], sub: ['status', 'scale'], ...workload }),
  kind('apps/v1', 'statefulsets', 'StatefulSet', { short: ['sts'], sub: ['status', 'scale'], ...workload }),
  kind('apps/v1', 'daemonsets', 'DaemonSet', { short: ['ds'], sub: ['status'], ...workload }),
  kind('batch/v1', 'jobs', 'Job', { sub: ['status'], ...workload }),
  kind('batch/v1', 'cronjobs', 'CronJob', { short: ['cj'], sub: ['status'], ...workload }),
  kind('policy/v1', 'poddisruptionbudgets', 'PodDisruptionBudget', {
    short: ['pdb'],
    sub: ['status'],
    generation: true,
    conditional: true,
  }),
  kind('discovery.k8s.io/v1', 'endpointslices', 'EndpointSlice', { generation: true }),
  kind('networking.k8s.io/v1', 'networkpolicies', 'NetworkPolicy', { short: ['netpol'], generation: true }),
  kind('networking.k8s.io/v1', 'ingresses', 'Ingress', { short: ['ing'], sub: ['status'], generation: true }),
  kind('networking.k8s.io/v1', 'ingressclasses', 'IngressClass', { cluster: true, generation: true }),
  kind(gatewayApi, 'gatewayclasses', 'GatewayClass', { short: ['gc'], cluster: true, ...routing }),
  kind(gatewayApi, 'gateways', 'Gateway', { short: ['gtw'], ...routing }),
  kind(gatewayApi, 'httproutes', 'HTTPRoute', routing),
  kind('storage.k8s.io/v1', 'storageclasses', 'StorageClass', { short: ['sc'], cluster: true }),
  kind(rbac, 'roles', 'Role', { name: 'path' }),
  kind(rbac, 'rolebindings', 'RoleBinding', { name: 'path' }),
  kind(rbac, 'clusterroles', 'ClusterRole', { cluster: true, name: 'path' }),
  kind(rbac, 'clusterrolebindings', 'ClusterRoleBinding', { cluster: true, name: 'path' }),
]

const byResource = new Map(kinds.map((k) => [k.resource, k]))
const byPath = new Map(kinds.map((k) => [`${k.group}/${k.version}/${k.plural}`, k]))
const byName = new Map(kinds.map((k) => [`${apiVersionOf(k)}/${k.kind}`, k]))

export function apiVersionOf(kind: Pick<Kind, 'group' | 'version'>): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
}

export function kindOf(resource: string): Kind {
  const found = byResource.get(resource)
  if (!found) throw new Error(`no kind is named ${resource}`)
  return found
}

export const kindAt = (group: string, version: string, plural: string): Kind | undefined =>
  byPath.get(`${group}/${version}/${plural}`)

export const kindNamed = (apiVersion: string, name: string): Kind | undefined => byName.get(`${apiVersion}/${name}`)
