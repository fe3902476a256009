import { deleteObject } from '../api/delete.ts'
import type { Cluster } from '../cluster.ts'
import { withCondition } from '../node/pod-status.ts'
import { kindOf } from '../objects/kinds.ts'
import type { Node } from '../objects/nodes.ts'
import type { Taint } from '../objects/places.ts'
import type { Condition } from '../objects/types.ts'
import { sameValue } from '../objects/record.ts'
import { seconds } from '../store/store.ts'
import type { Controller } from './loop.ts'
import { isReady } from './pods.ts'
import { record } from './record.ts'

const cordoned = 'node.kubernetes.io/unschedulable'
const unready = 'node.kubernetes.io/not-ready'
const lost = 'node.kubernetes.io/unreachable'
const ownTaints = new Set([cordoned, unready, lost])

/** The taints for a node's state. */
function taintsOf({ spec, status }: Node): Omit<Taint, 'timeAdded'>[] {
  const state = status.conditions?.find(({ type }) => type === 'Ready')?.status
  const taints: Taint[] = []
  if (spec.unschedulable) taints.push({ key: cordoned, effect: 'NoSchedule' })
  // The state of a node without any kubelet report is unknown for a while.
  if (state === 'True' || state === undefined) return taints
  const key = state === 'Unknown' ? lost : unready
  return [...taints, { key, effect: 'NoSchedule' }, { key, effect: 'NoExecute' }]
}

/** Deletes the pods of a deleted node at once, because no kubelet could end them. */
function forget(cluster: Cluster, name: string): void {
  for (const { spec, metadata } of cluster.store.list('pods'))
    if (spec.nodeName === name)
      deleteObject(cluster, kindOf('pods'), metadata.namespace, metadata.name, { gracePeriodSeconds: 0 })
  for (const { metadata, spec } of cluster.store.list('pods'))
    if (spec.nodeName === name && !metadata.finalizers?.length)
      cluster.store.remove('pods', metadata.namespace, metadata.name)
}

/** How long a new node may stay silent before it counts as lost, in milliseconds. */
const patience = 60_000

/** A node from which no kubelet has ever reported. */
function neverSpoke(cluster: Cluster, node: Node): Node {
  const now = seconds(cluster.now())
  const conditions = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
    type,
    status: 'Unknown' as const,
    reason: 'NodeStatusNeverUpdated',
    message: 'Kubelet never posted node status.',
    lastHeartbeatTime: node.metadata.creationTimestamp,
    lastTransitionTime: now,
  }))
  return cluster.store.put('nodes', { ...node, status: { ...node.status, conditions } })
}

/** Pods on a lost node count as not ready, because their state is unknown. */
function unreadyPods(cluster: Cluster, name: string): void {
  for (const pod of cluster.store.list('pods')) {
    if (pod.spec.nodeName !== name || !isReady(pod)) continue
    const ready: Condition = { type: 'Ready', status: 'False' }
    const conditions = withCondition(pod.status.conditions ?? [], ready, seconds(cluster.now()))
    cluster.store.put('pods', { ...pod, status: { ...pod.status, conditions } })
    const said = { reason: 'NodeNotReady', message: 'Node is not ready', component: 'node-controller' }
    record(cluster, pod, { type: 'Warning', ...said })
  }
}

/** Maintains the taints that tell the scheduler a node's state, and cleans up after deleted nodes. */
export const nodes: Controller = {
  name: 'nodes',
  affected: (_, { resource, object }) => (resource === 'nodes' ? [`/${object.metadata.name}`] : []),
  reconcile(cluster, _, name, later) {
    const { store } = cluster
    let node = store.get('nodes', undefined, name)
    if (!node) return forget(cluster, name)
    const age = cluster.now() - Date.parse(node.metadata.creationTimestamp)
    if (!node.status.conditions?.length) {
      if (age >= patience) node = neverSpoke(cluster, node)
      else later(patience - age)
    }
    if (node.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'Unknown'))
      unreadyPods(cluster, name)
    const before = node.spec.taints ?? []
    const now = seconds(cluster.now())
    const ours = taintsOf(node).map((taint) => {
      const known = before.find(({ key, effect }) => key === taint.key && effect === taint.effect)
      return known ?? { ...taint, timeAdded: now }
    })
    const taints = [...before.filter(({ key }) => !ownTaints.has(key)), ...ours]
    const order = (list: Taint[]): string[] => list.map(({ key, value, effect }) => `${key}=${value}:${effect}`).sort()
    if (sameValue(order(before), order(taints))) return
    const { taints: _taints, ...spec } = node.spec
    store.put('nodes', { ...node, spec: { ...spec, ...(taints.length > 0 ? { taints } : {}) } })
  },
}
