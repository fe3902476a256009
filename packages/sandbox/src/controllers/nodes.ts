import { deleteObject } from '../api/delete.ts'
import type { Cluster } from '../cluster.ts'
import { kindOf } from '../objects/kinds.ts'
import type { Node, Taint } from '../objects/nodes.ts'
import { sameValue } from '../objects/record.ts'
import { seconds } from '../store/store.ts'
import type { Controller } from './loop.ts'

const cordoned = 'node.kubernetes.io/unschedulable'
const unready = 'node.kubernetes.io/not-ready'
const lost = 'node.kubernetes.io/unreachable'
const own = new Set([cordoned, unready, lost])

/** The taints that a node's state calls for. */
function wanted({ spec, status }: Node): Omit<Taint, 'timeAdded'>[] {
  const state = status.conditions?.find(({ type }) => type === 'Ready')?.status
  const taints: Taint[] = []
  if (spec.unschedulable) taints.push({ key: cordoned, effect: 'NoSchedule' })
  if (state === 'True') return taints
  const key = state === 'Unknown' ? lost : unready
  taints.push({ key, effect: 'NoSchedule' })
  // Nothing ran yet where no kubelet ever spoke: there is nobody to send away.
  if (state !== undefined) taints.push({ key, effect: 'NoExecute' })
  return taints
}

/** Whoever was on a node that is gone is gone too, without a grace: nobody is there to end it. */
function forget(cluster: Cluster, name: string): void {
  for (const { spec, metadata } of cluster.store.list('pods'))
    if (spec.nodeName === name)
      deleteObject(cluster, kindOf('pods'), metadata.namespace, metadata.name, { gracePeriodSeconds: 0 })
  for (const { metadata, spec } of cluster.store.list('pods'))
    if (spec.nodeName === name && !metadata.finalizers?.length)
      cluster.store.remove('pods', metadata.namespace, metadata.name)
}

/** Keeps the taints that say a node's state to the scheduler, and clears up after nodes that are gone. */
export const nodes: Controller = {
  name: 'nodes',
  affected: (_, { resource, object }) => (resource === 'nodes' ? [`/${object.metadata.name}`] : []),
  reconcile(cluster, _, name) {
    const { store } = cluster
    const node = store.get('nodes', undefined, name)
    if (!node) return forget(cluster, name)
    const before = node.spec.taints ?? []
    const now = seconds(cluster.now())
    const ours = wanted(node).map((taint) => {
      const known = before.find(({ key, effect }) => key === taint.key && effect === taint.effect)
      return known ?? { ...taint, timeAdded: now }
    })
    const taints = [...before.filter(({ key }) => !own.has(key)), ...ours]
    const order = (list: Taint[]): string[] => list.map(({ key, value, effect }) => `${key}=${value}:${effect}`).sort()
    if (sameValue(order(before), order(taints))) return
    const { taints: _taints, ...spec } = node.spec
    store.put('nodes', { ...node, spec: { ...spec, ...(taints.length > 0 ? { taints } : {}) } })
  },
}
