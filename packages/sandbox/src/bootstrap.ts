import { newMeta, seconds, type Store } from './store/store.ts'
import type { Condition, Node, Obj, PolicyRule, StorageClass } from './objects/types.ts'

const simulated = { 'sandbox.gantry.dev/simulated': 'true' }

function node(n: number, now: number): Node {
  const name = `sandbox-${n}`
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
      },
      annotations: { 'sandbox.gantry.dev/about': 'A hollow node of the Gantry sandbox: nothing really runs on it.' },
    },
    spec: { podCIDR: `10.244.${n}.0/24` },
    status: {
      capacity: { cpu: '8', memory: '32Gi', pods: '110', 'ephemeral-storage': '100Gi' },
      allocatable: { cpu: '8', memory: '32Gi', pods: '110', 'ephemeral-storage': '100Gi' },
      addresses: [
        { type: 'InternalIP', address: `10.200.0.${n}` },
        { type: 'Hostname', address: name },
      ],
      conditions: [
        { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'the simulated node is ready' },
        { type: 'MemoryPressure', status: 'False', reason: 'KubeletHasSufficientMemory' },
        { type: 'DiskPressure', status: 'False', reason: 'KubeletHasNoDiskPressure' },
        { type: 'PIDPressure', status: 'False', reason: 'KubeletHasSufficientPID' },
      ].map((one) => ({ ...one, lastTransitionTime: seconds(now) }) as Condition),
      nodeInfo: {
        kubeletVersion: 'v1.34.4+gantry-sandbox',
        containerRuntimeVersion: 'simulated://0',
        operatingSystem: 'linux',
        architecture: 'amd64',
        osImage: 'Gantry sandbox (simulated)',
        kernelVersion: '0.0.0-simulated',
      },
    },
  }
}

const namespace = (name: string, now: number): Obj => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...newMeta(now), labels: { 'kubernetes.io/metadata.name': name } },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
})

const all = ['*']
const reading = ['get', 'list', 'watch']
const objects = ['configmaps', 'endpoints', 'persistentvolumeclaims', 'pods', 'serviceaccounts', 'services', 'events']
const seen = [...objects, 'limitranges', 'namespaces', 'pods/log', 'pods/status', 'resourcequotas', 'services/proxy']
const groups = ['apps', 'batch', 'networking.k8s.io', 'discovery.k8s.io', 'policy']
const viewer: PolicyRule[] = [
  { apiGroups: [''], resources: seen, verbs: reading },
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

/** What a new cluster has. Does nothing to one that has its namespaces already. */
export function furnishCluster(store: Store, now: number): void {
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease'])
    if (!store.get('namespaces', undefined, name)) store.put('namespaces', namespace(name, now))
  if (store.list('nodes').length === 0) for (const n of [1, 2, 3]) store.put('nodes', node(n, now))
  const rbac = 'rbac.authorization.k8s.io'
  for (const [name, rules] of Object.entries(roles)) {
    if (store.get(`clusterroles.${rbac}`, undefined, name)) continue
    const role = { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name, ...newMeta(now) }, rules }
    store.put(`clusterroles.${rbac}`, role)
  }
  const storage: StorageClass = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: {
      name: 'sandbox',
      ...newMeta(now),
      labels: simulated,
      annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
    },
    provisioner: 'sandbox.gantry.dev/simulated',
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
  }
  if (!store.get('storageclasses.storage.k8s.io', undefined, 'sandbox'))
    store.put('storageclasses.storage.k8s.io', storage)
}
