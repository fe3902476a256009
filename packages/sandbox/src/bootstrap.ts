import type { Config } from './config.ts'
import { gatewayController } from './controllers/gateways.ts'
import { authority } from './authority.ts'
import { newMeta, type Store } from './store/store.ts'
import { provisioner } from './controllers/storage/storage-match.ts'
import { simulatedLabel } from './node/hollow.ts'
import type { Node } from './objects/nodes.ts'
import type { StorageClass } from './objects/storage.ts'
import type { Obj, PolicyRule } from './objects/types.ts'

const simulated = { [simulatedLabel]: 'true' }

/** The first node is the control plane. The rest of a node is set by its kubelet. */
function node(n: number, now: number): Node {
  const name = `sandbox-${n}`
  const role = 'node-role.kubernetes.io/control-plane'
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      ...newMeta(now),
      labels: {
        ...simulated,
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'topology.kubernetes.io/zone': `sandbox-zone-${n}`,
        ...(n === 1 ? { [role]: '', 'node.kubernetes.io/exclude-from-external-load-balancers': '' } : {}),
      },
      annotations: { 'sandbox.gantry.dev/about': 'A hollow node of the Gantry sandbox: nothing really runs on it.' },
    },
    spec: { podCIDR: `10.244.${n}.0/24`, ...(n === 1 ? { taints: [{ key: role, effect: 'NoSchedule' }] } : {}) },
    status: {},
  }
}

const namespace = (name: string, now: number): Obj => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...newMeta(now), labels: { 'kubernetes.io/metadata.name': name } },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
})

const storageClass = (now: number): StorageClass => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: {
    name: 'sandbox',
    ...newMeta(now),
    labels: simulated,
    annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
  },
  provisioner,
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
})

const ingressClass = (now: number): Obj => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  metadata: {
    name: 'sandbox',
    ...newMeta(now),
    generation: 1,
    labels: simulated,
  },
  spec: { controller: 'sandbox.gantry.dev/simulated' },
})

const gatewayClass = (now: number): Obj => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'GatewayClass',
  metadata: {
    name: 'sandbox-gateway',
    ...newMeta(now),
    generation: 1,
    labels: simulated,
  },
  spec: { controllerName: gatewayController },
})

const all = ['*']
const reading = ['get', 'list', 'watch']
const objects = ['configmaps', 'endpoints', 'persistentvolumeclaims', 'pods', 'serviceaccounts', 'services', 'events']
const readableKinds = [
  ...objects,
  'limitranges',
  'namespaces',
  'pods/log',
  'pods/status',
  'resourcequotas',
  'services/proxy',
]
const groups = ['apps', 'batch', 'networking.k8s.io', 'discovery.k8s.io', 'policy']
const viewer: PolicyRule[] = [
  { apiGroups: [''], resources: readableKinds, verbs: reading },
  { apiGroups: [...groups, 'metrics.k8s.io'], resources: all, verbs: reading },
]
const editor: PolicyRule[] = [
  ...viewer,
  { apiGroups: [''], resources: [...objects, 'secrets', 'pods/exec', 'pods/eviction', 'services/proxy'], verbs: all },
  { apiGroups: groups, resources: all, verbs: all },
]
const roles: Record<string, PolicyRule[]> = {
  'cluster-admin': [{ apiGroups: all, resources: all, verbs: all }],
  admin: [...editor, { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'], verbs: all }],
  edit: editor,
  view: viewer,
}

/** The initial objects of a new cluster. Does nothing if the namespaces exist already. */
export function furnishCluster(store: Store, now: number, more: Pick<Config, 'gatewayClass'>): void {
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease'])
    if (!store.get('namespaces', undefined, name)) store.put('namespaces', namespace(name, now))
  if (store.list('nodes').length === 0) for (const n of [1, 2, 3]) store.put('nodes', node(n, now))
  const rbac = 'rbac.authorization.k8s.io'
  for (const [name, rules] of Object.entries(roles)) {
    if (store.get(`clusterroles.${rbac}`, undefined, name)) continue
    const role = { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name, ...newMeta(now) }, rules }
    store.put(`clusterroles.${rbac}`, role)
  }
  for (const [resource, object] of [
    ['storageclasses.storage.k8s.io', storageClass(now)],
    ['ingressclasses.networking.k8s.io', ingressClass(now)],
    ...(more.gatewayClass ? ([['gatewayclasses.gateway.networking.k8s.io', gatewayClass(now)]] as const) : []),
  ] as const)
    if (!store.get(resource, undefined, object.metadata.name)) store.put(resource, object)
}

const clusterInfo = (server: string): string => `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${Buffer.from(authority).toString('base64')}
    server: ${server}
  name: ""
contexts: null
current-context: ""
kind: Config
preferences: {}
users: null
`

/** Publishes the cluster's address in the same place and form as kubeadm: machines that join read it there. */
export function publishAddress(store: Store, server: string, now: number): void {
  const [namespace, name, kubeconfig] = ['kube-public', 'cluster-info', clusterInfo(server)]
  const known = store.get('configmaps', namespace, name)
  if (known?.data?.['kubeconfig'] === kubeconfig) return
  const fresh = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, ...newMeta(now) } }
  store.put('configmaps', { ...(known ?? fresh), data: { ...known?.data, kubeconfig } })
}
