import { createHash } from 'node:crypto'
import type { Cluster } from '../cluster.ts'
import type { Controller } from '../controllers/loop.ts'
import { record } from '../controllers/record.ts'
import { version } from '../api/discovery.ts'
import type { Node } from '../objects/nodes.ts'
import { sameValue } from '../objects/record.ts'
import type { Condition, Pod } from '../objects/types.ts'
import { seconds } from '../store/store.ts'
import { credentialsOf } from './instance.ts'

/** The sandbox runs a node with this label, even one that was added by hand. Other nodes stay as they were created. */
export const simulatedLabel = 'sandbox.gantry.dev/simulated'
/** A node with this annotation no longer reports, as if its machine were off. */
const downAnnotation = 'sandbox.gantry.dev/down'

/** Milliseconds after which a node reports its state again even without a change, as a kubelet does. */
const beat = 300_000
/** A kubelet reports its 50 largest images. */
const maxImages = 50

export const isSimulated = ({ metadata }: Node): boolean => metadata.labels?.[simulatedLabel] === 'true'
export const isDown = ({ metadata }: Node): boolean => metadata.annotations?.[downAnnotation] === 'true'

/** The last parts of a node's addresses: the number at the end of its name, if any. */
const numberOf = (name: string): number => {
  const found = Number(/-(\d{1,2})$/.exec(name)?.[1] ?? 0)
  return found > 0 ? found : 100 + ((createHash('sha256').update(name).digest()[0] ?? 0) % 150)
}

const amounts = {
  cpu: '8',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
  memory: '33554432Ki',
  pods: '110',
  'ephemeral-storage': '104857600Ki',
}

const healthy: Condition[] = [
  {
    type: 'MemoryPressure',
    status: 'False',
    reason: 'KubeletHasSufficientMemory',
    message: 'kubelet has sufficient memory available',
  },
  {
    type: 'DiskPressure',
    status: 'False',
    reason: 'KubeletHasNoDiskPressure',
    message: 'kubelet has no disk pressure',
  },
  {
    type: 'PIDPressure',
    status: 'False',
    reason: 'KubeletHasSufficientPID',
    message: 'kubelet has sufficient PID available',
  },
  { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status (simulated)' },
]

const silent: Condition[] = healthy.map(({ type }) => ({
  type,
  status: 'Unknown',
  reason: 'NodeStatusUnknown',
  message: 'Kubelet stopped posting node status.',
}))

type Image = NonNullable<Node['status']['images']>[number]

/** The images of a node: the earlier ones, and those of its pods. */
function imagesOf(cluster: Cluster, node: Node): Image[] {
  const images = new Map((node.status.images ?? []).map((image) => [image.names?.[0] ?? '', image]))
  for (const pod of cluster.store.list('pods')) {
    if (pod.spec.nodeName !== node.metadata.name) continue
    for (const { image, imageID } of statusesOf(pod)) {
      const known = images.get(imageID)
      if (imageID === '' || known?.names?.includes(image)) continue
      let sizeBytes = known?.sizeBytes
      try {
        sizeBytes ??= cluster.images.pull(imageID, credentialsOf(cluster, pod)).size
      } catch {
        // Deleted from the registry since, but still on the node.
      }
      const names = [...new Set([imageID, ...(known?.names ?? []), image])]
      images.set(imageID, { names, sizeBytes: sizeBytes ?? 0 })
    }
  }
  return [...images.values()].sort((a, b) => b.sizeBytes - a.sizeBytes).slice(0, maxImages)
}

const statusesOf = ({ status }: Pod) => [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]

function statusOf(cluster: Cluster, node: Node): Node['status'] {
  const { name } = node.metadata
  const id = createHash('sha256').update(node.metadata.uid).digest('hex')
  const images = imagesOf(cluster, node)
  return {
    ...node.status,
    capacity: amounts,
    allocatable: { ...amounts, memory: '33452032Ki', 'ephemeral-storage': '96636764160' },
    addresses: [
      { type: 'InternalIP', address: `10.200.0.${numberOf(name)}` },
      { type: 'Hostname', address: name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      architecture: 'amd64',
      bootID: `${id.slice(0, 8)}-simulated`,
      containerRuntimeVersion: 'simulated://0',
      kernelVersion: '0.0.0-simulated',
      kubeProxyVersion: '',
      kubeletVersion: version.gitVersion,
      machineID: id.slice(0, 32),
      operatingSystem: 'linux',
      osImage: 'Gantry sandbox (simulated)',
      systemUUID: `${id.slice(32, 40)}-simulated`,
    },
    ...(images.length > 0 ? { images } : {}),
  }
}

/** The present conditions, with their transition times. */
function currentConditions(
  before: Node['status'],
  now: string,
  speaks: boolean,
): NonNullable<Node['status']['conditions']> {
  return (speaks ? healthy : silent).map((one) => {
    const old = before.conditions?.find(({ type }) => type === one.type)
    const kept = old?.status === one.status ? old.lastTransitionTime : undefined
    // A node that does not report keeps the time of its last report.
    const lastHeartbeatTime = speaks ? now : (old?.lastHeartbeatTime ?? now)
    return { ...one, lastHeartbeatTime, lastTransitionTime: kept ?? now }
  })
}

/** A free /24 for the pods of a node, starting at its number; if none is left, two nodes share one. */
function podRange({ store }: Cluster, node: Node): string {
  const used = new Set(store.list('nodes').map(({ spec }) => spec.podCIDR))
  const own = numberOf(node.metadata.name)
  const range = (n: number): string => `10.244.${n}.0/24`
  for (let past = 0; past < 254; past++) {
    const free = range(((own - 1 + past) % 254) + 1)
    if (!used.has(free)) return free
  }
  return range(own)
}

/** Events about a node from its own kubelet and from the node controller. */
function tell(
  cluster: Cluster,
  node: Node,
  component: 'kubelet' | 'node-controller',
  reason: string,
  message: string,
): void {
  // A kubelet identifies itself by its name alone.
  const uid = component === 'kubelet' ? node.metadata.name : node.metadata.uid
  const about = { ...node, metadata: { ...node.metadata, uid } }
  const host = component === 'kubelet' ? { host: node.metadata.name } : {}
  record(cluster, about, { type: 'Normal', reason, message, component, ...host })
}

function announce(cluster: Cluster, before: Node, state: string): void {
  const { name } = before.metadata
  const was = before.status.conditions?.find(({ type }) => type === 'Ready')?.status
  if (was === undefined)
    tell(
      cluster,
      before,
      'node-controller',
      'RegisteredNode',
      `Node ${name} event: Registered Node ${name} in Controller`,
    )
  if (was === state) return
  if (state === 'True') tell(cluster, before, 'kubelet', 'NodeReady', `Node ${name} status is now: NodeReady`)
  else tell(cluster, before, 'node-controller', 'NodeNotReady', `Node ${name} status is now: NodeNotReady`)
}

/** The kubelets' reports about their nodes: state, size, addresses and images of every simulated node. */
export const hollowNodes: Controller = {
  name: 'hollow nodes',
  affected({ store }, { resource, object, previous, type }) {
    if (resource === 'nodes' && type !== 'DELETED') {
      const [was, is] = [previous as Node | undefined, object as Node]
      const turned = was !== undefined && was.spec.unschedulable !== is.spec.unschedulable
      return [
        `/${object.metadata.name}`,
        ...(turned ? [`${is.spec.unschedulable ? 'off' : 'on'}/${object.metadata.name}`] : []),
      ]
    }
    if (resource !== 'pods' || type === 'DELETED') return []
    const pod = object as Pod
    const node = store.get('nodes', undefined, pod.spec.nodeName ?? '')
    const known = new Set(node?.status.images?.flatMap(({ names }) => names))
    const fresh = statusesOf(pod).some(
      ({ image, imageID }) => imageID !== '' && !(known.has(imageID) && known.has(image)),
    )
    return node && fresh ? [`/${node.metadata.name}`] : []
  },
  reconcile(cluster, turned, name, later) {
    const { store } = cluster
    const node = store.get('nodes', undefined, name)
    if (!node || !isSimulated(node)) return
    if (turned !== '') {
      const reason = turned === 'off' ? 'NodeNotSchedulable' : 'NodeSchedulable'
      return tell(cluster, node, 'kubelet', reason, `Node ${name} status is now: ${reason}`)
    }
    const now = cluster.now()
    const speaks = !isDown(node)
    const state = speaks ? 'True' : 'Unknown'
    const ready = node.status.conditions?.find(({ type }) => type === 'Ready')
    const next = speaks ? statusOf(cluster, node) : node.status
    const due = Date.parse(ready?.lastHeartbeatTime ?? '') + beat
    const spec = node.spec.podCIDR ? node.spec : { ...node.spec, podCIDR: podRange(cluster, node) }
    if (speaks) later(due > now ? due - now : beat)
    const same = ready?.status === state && (due > now || !speaks) && spec === node.spec
    if (same && sameValue(next, node.status)) return
    announce(cluster, node, state)
    const conditions = currentConditions(node.status, seconds(now), speaks)
    store.put('nodes', { ...node, spec, status: { ...next, conditions } })
  },
}
