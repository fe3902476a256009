import { deleteObject } from '../api/delete.ts'
import type { Cluster } from '../cluster.ts'
import { withCondition } from '../node/pod-status.ts'
import { kindOf } from '../objects/kinds.ts'
import type { Node } from '../objects/nodes.ts'
import type { Taint } from '../objects/places.ts'
import type { Condition, Pod } from '../objects/types.ts'
import { seconds } from '../store/store.ts'
import { keyOf, type Controller } from './loop.ts'
import { tolerates } from './placement.ts'
import { record } from './record.ts'

const expelling = ({ spec }: Node): Taint[] => (spec.taints ?? []).filter(({ effect }) => effect === 'NoExecute')

/** The milliseconds for which a pod may stay on a node, counted from `since`; Infinity if no taint evicts it. */
function leave({ spec }: Pod, taints: Taint[], now: number, since: number): number {
  let least = Infinity
  for (const taint of taints) {
    const found = tolerates(spec.tolerations, taint)
    if (!found) return 0
    if (found.tolerationSeconds === undefined) continue
    least = Math.min(least, Math.max(since + found.tolerationSeconds * 1000 - now, 0))
  }
  return least
}

function evict(cluster: Cluster, pod: Pod): void {
  const { name, namespace = '' } = pod.metadata
  const message = 'Taint manager: deleting due to NoExecute taint'
  const why: Condition = { type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager', message }
  const conditions = withCondition(pod.status.conditions ?? [], why, seconds(cluster.now()))
  cluster.store.put('pods', { ...pod, status: { ...pod.status, conditions } })
  record(cluster, pod, {
    type: 'Normal',
    reason: 'TaintManagerEviction',
    message: `Marking for deletion Pod ${namespace}/${name}`,
    component: 'taint-eviction-controller',
  })
  deleteObject(cluster, kindOf('pods'), namespace, name)
}

/** Evicts pods from nodes with NoExecute taints that they do not tolerate, or no longer. */
export function taints(): Controller {
  /** When each pod was first seen under such a taint; after a restart of the sandbox the time starts anew. */
  const seen = new Map<string, number>()
  return {
    name: 'taints',
    affected({ store }, { resource, object, previous, type }) {
      if (type === 'DELETED') {
        seen.delete(object.metadata.uid)
        return []
      }
      if (resource === 'nodes') {
        const on = store.list('pods').filter(({ spec }) => spec.nodeName === object.metadata.name)
        const turned = expelling(object as Node).length > 0 || (previous && expelling(previous as Node).length > 0)
        return turned ? on.map(keyOf) : []
      }
      const placed = resource === 'pods' && (object as Pod).spec.nodeName !== undefined
      return placed && (previous as Pod | undefined)?.spec.nodeName === undefined ? [keyOf(object)] : []
    },
    reconcile(cluster, namespace, name, later) {
      const pod = cluster.store.get('pods', namespace, name)
      if (!pod?.spec.nodeName || pod.metadata.deletionTimestamp) return
      const node = cluster.store.get('nodes', undefined, pod.spec.nodeName)
      const found = node ? expelling(node) : []
      const { uid } = pod.metadata
      if (found.length === 0) return void seen.delete(uid)
      const now = cluster.now()
      const since = seen.get(uid) ?? now
      seen.set(uid, since)
      const left = leave(pod, found, now, since)
      if (left <= 0) evict(cluster, pod)
      else later(left)
    },
  }
}
