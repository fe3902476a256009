import type { Json } from './trial/client.ts'
import { podOf, templateOf } from './trial/trial.ts'

/** A row of the table: a kind, an object of it, and a change that its verbs can make and observe. */
export interface Row {
  groupVersion: string
  plural: string
  kind: string
  /** Cluster-wide objects, which have the suite's namespace in their name. */
  cluster?: true
  body(name: string): Json
  /** A merge patch that changes the object. */
  change: Json
  /** Reads the changed value. */
  read(object: Json): unknown
  changed: unknown
  /** False: a collection deletion would delete other objects. */
  deleteCollection?: false
  /** A deletion answers the object instead of a Status. */
  returned?: true
  /** An update has to name the version on which it is based. */
  conditional?: true
  /** The kind is not a part of Kubernetes itself. */
  custom?: true
}

const gatewayApi = 'gateway.networking.k8s.io/v1'
const annotate = {
  change: { metadata: { annotations: { note: 'changed' } } },
  read: (object: Json) => object.metadata.annotations?.note,
  changed: 'changed',
}

const workload = (kind: string, plural: string, more: object = {}): Row => ({
  groupVersion: 'apps/v1',
  plural,
  kind,
  body: (name) => ({
    spec: { replicas: 0, selector: { matchLabels: { app: name } }, template: templateOf(name), ...more },
  }),
  change: { spec: { template: { metadata: { annotations: { note: 'changed' } } } } },
  read: (object) => object.spec.template.metadata.annotations?.note,
  changed: 'changed',
})

const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]
const rbac = 'rbac.authorization.k8s.io/v1'

export const rows: Row[] = [
  {
    groupVersion: 'v1',
    plural: 'namespaces',
    kind: 'Namespace',
    returned: true,
    cluster: true,
    body: () => ({}),
    ...annotate,
    deleteCollection: false,
  },
  { groupVersion: 'v1', plural: 'nodes', kind: 'Node', cluster: true, body: () => ({}), ...annotate },
  {
    groupVersion: 'v1',
    plural: 'pods',
    kind: 'Pod',
    returned: true,
    // It fits no node, so that it neither runs nor takes time to end.
    body: (name) => podOf(name, 'sleep 1', {}, { nodeSelector: { 'contract/none': 'none' } }),
    ...annotate,
  },
  {
    groupVersion: 'v1',
    plural: 'services',
    kind: 'Service',
    returned: true,
    body: () => ({ spec: { selector: { app: 'none' }, ports: [{ port: 80 }] } }),
    change: { spec: { ports: [{ port: 81 }] } },
    read: (object) => object.spec.ports[0].port,
    changed: 81,
  },
  {
    groupVersion: 'v1',
    plural: 'endpoints',
    kind: 'Endpoints',
    body: () => ({ subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }] }] }),
    change: { subsets: null },
    read: (object) => object.subsets,
    changed: undefined,
  },
  {
    groupVersion: 'v1',
    plural: 'configmaps',
    kind: 'ConfigMap',
    body: () => ({ data: { key: 'value' } }),
    change: { data: { key: 'changed' } },
    read: (object) => object.data.key,
    changed: 'changed',
  },
  {
    groupVersion: 'v1',
    plural: 'secrets',
    kind: 'Secret',
    body: () => ({ stringData: { key: 'value' } }),
    change: { data: { key: 'Y2hhbmdlZA==' } },
    read: (object) => object.data.key,
    changed: 'Y2hhbmdlZA==',
  },
  {
    groupVersion: 'v1',
    plural: 'serviceaccounts',
    kind: 'ServiceAccount',
    returned: true,
    body: () => ({}),
    ...annotate,
  },
  {
    groupVersion: 'v1',
    plural: 'events',
    kind: 'Event',
    body: () => ({ involvedObject: { kind: 'Pod', name: 'x' }, reason: 'Tried', message: 'm', type: 'Normal' }),
    change: { message: 'changed' },
    read: (object) => object.message,
    changed: 'changed',
  },
  {
    groupVersion: 'v1',
    plural: 'resourcequotas',
    kind: 'ResourceQuota',
    returned: true,
    // Limits a resource that no case creates.
    body: () => ({ spec: { hard: { 'services.loadbalancers': '7' } } }),
    change: { spec: { hard: { 'services.loadbalancers': '8' } } },
    read: (object) => object.spec.hard['services.loadbalancers'],
    changed: '8',
  },
  {
    groupVersion: 'v1',
    plural: 'limitranges',
    kind: 'LimitRange',
    body: () => ({ spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '1Ti' } }] } }),
    change: { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '2Ti' } }] } },
    read: (object) => object.spec.limits[0].max.storage,
    changed: '2Ti',
  },
  {
    groupVersion: 'v1',
    plural: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    returned: true,
    body: () => ({
      metadata: { finalizers: [] },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'none' },
    }),
    ...annotate,
  },
  {
    groupVersion: 'v1',
    plural: 'persistentvolumes',
    kind: 'PersistentVolume',
    returned: true,
    cluster: true,
    body: () => ({
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'none',
        hostPath: { path: '/none' },
      },
    }),
    ...annotate,
  },
  workload('Deployment', 'deployments'),
  workload('ReplicaSet', 'replicasets'),
  workload('StatefulSet', 'statefulsets', { serviceName: 'none' }),
  {
    ...workload('DaemonSet', 'daemonsets'),
    body: (name) => {
      const template = templateOf(name)
      template.spec.nodeSelector = { 'contract/none': 'none' }
      return { spec: { selector: { matchLabels: { app: name } }, template } }
    },
  },
  {
    groupVersion: 'batch/v1',
    plural: 'jobs',
    kind: 'Job',
    body: (name) => {
      const template = templateOf(name)
      template.spec.restartPolicy = 'Never'
      return { spec: { suspend: true, template } }
    },
    change: { spec: { parallelism: 2 } },
    read: (object) => object.spec.parallelism,
    changed: 2,
  },
  {
    groupVersion: 'batch/v1',
    plural: 'cronjobs',
    kind: 'CronJob',
    body: (name) => {
      const template = templateOf(name)
      template.spec.restartPolicy = 'Never'
      return { spec: { schedule: '0 3 * * *', suspend: true, jobTemplate: { spec: { template } } } }
    },
    change: { spec: { schedule: '0 4 * * *' } },
    read: (object) => object.spec.schedule,
    changed: '0 4 * * *',
  },
  {
    groupVersion: 'policy/v1',
    plural: 'poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    body: () => ({ spec: { minAvailable: 1, selector: { matchLabels: { app: 'none' } } } }),
    change: { spec: { minAvailable: '50%' } },
    read: (object) => object.spec.minAvailable,
    changed: '50%',
    conditional: true,
  },
  {
    groupVersion: 'discovery.k8s.io/v1',
    plural: 'endpointslices',
    kind: 'EndpointSlice',
    body: () => ({ addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }], ports: [{ name: '', port: 80 }] }),
    change: { endpoints: [{ addresses: ['10.1.2.4'] }] },
    read: (object) => object.endpoints[0].addresses,
    changed: ['10.1.2.4'],
  },
  {
    groupVersion: 'networking.k8s.io/v1',
    plural: 'networkpolicies',
    kind: 'NetworkPolicy',
    body: () => ({ spec: { podSelector: { matchLabels: { app: 'none' } } } }),
    change: { spec: { policyTypes: ['Ingress', 'Egress'] } },
    read: (object) => object.spec.policyTypes,
    changed: ['Ingress', 'Egress'],
  },
  {
    groupVersion: 'networking.k8s.io/v1',
    plural: 'ingresses',
    kind: 'Ingress',
    body: () => ({ spec: { defaultBackend: { service: { name: 'none', port: { number: 80 } } } } }),
    change: { spec: { defaultBackend: { service: { port: { number: 81 } } } } },
    read: (object) => object.spec.defaultBackend.service.port.number,
    changed: 81,
  },
  {
    groupVersion: gatewayApi,
    plural: 'gatewayclasses',
    kind: 'GatewayClass',
    cluster: true,
    conditional: true,
    custom: true,
    body: () => ({ spec: { controllerName: 'contract.example/none' } }),
    ...annotate,
  },
  {
    groupVersion: gatewayApi,
    plural: 'gateways',
    kind: 'Gateway',
    conditional: true,
    custom: true,
    body: () => ({
      spec: { gatewayClassName: 'none', listeners: [{ name: 'web', port: 80, protocol: 'HTTP' }] },
    }),
    change: { spec: { gatewayClassName: 'nobody' } },
    read: (object) => object.spec.gatewayClassName,
    changed: 'nobody',
  },
  {
    groupVersion: gatewayApi,
    plural: 'httproutes',
    kind: 'HTTPRoute',
    conditional: true,
    custom: true,
    body: () => ({ spec: { rules: [{ backendRefs: [{ name: 'none', port: 80 }] }] } }),
    change: { spec: { hostnames: ['none.example.com'] } },
    read: (object) => object.spec.hostnames,
    changed: ['none.example.com'],
  },
  {
    groupVersion: 'storage.k8s.io/v1',
    plural: 'storageclasses',
    kind: 'StorageClass',
    returned: true,
    cluster: true,
    body: () => ({ provisioner: 'contract/none' }),
    ...annotate,
  },
  {
    groupVersion: 'networking.k8s.io/v1',
    plural: 'ingressclasses',
    kind: 'IngressClass',
    cluster: true,
    body: () => ({ spec: { controller: 'contract.example/none' } }),
    ...annotate,
  },
  {
    groupVersion: rbac,
    plural: 'roles',
    kind: 'Role',
    body: () => ({ rules }),
    change: { rules: [] },
    read: (object) => object.rules,
    changed: null,
  },
  {
    groupVersion: rbac,
    plural: 'rolebindings',
    kind: 'RoleBinding',
    body: () => ({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'none' },
      subjects: [{ kind: 'User', name: 'one' }],
    }),
    change: { subjects: [{ kind: 'User', name: 'two' }] },
    read: (object) => object.subjects,
    changed: [{ kind: 'User', name: 'two', apiGroup: 'rbac.authorization.k8s.io' }],
  },
  {
    groupVersion: rbac,
    plural: 'clusterroles',
    kind: 'ClusterRole',
    cluster: true,
    body: () => ({ rules }),
    change: { rules: [] },
    read: (object) => object.rules,
    changed: null,
  },
  {
    groupVersion: rbac,
    plural: 'clusterrolebindings',
    kind: 'ClusterRoleBinding',
    cluster: true,
    body: () => ({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'none' },
      subjects: [{ kind: 'User', name: 'one' }],
    }),
    change: { subjects: [{ kind: 'User', name: 'two' }] },
    read: (object) => object.subjects,
    changed: [{ kind: 'User', name: 'two', apiGroup: 'rbac.authorization.k8s.io' }],
  },
]
