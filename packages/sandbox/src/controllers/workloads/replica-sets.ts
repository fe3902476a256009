import type { Cluster } from '../../cluster.ts'
import type { Condition, Pod } from '../../objects/types.ts'
import type { ReplicaSet } from '../../objects/workloads.ts'
import { sameValue } from '../../objects/record.ts'
import { seconds } from '../../store/store.ts'
import { withCondition } from '../../node/pod-status.ts'
import { keyOf, owners, type Controller } from '../loop.ts'
import { availability, claimed, createPod, deletePod, isActive, isReady } from '../pods.ts'

/** The order of deletion: unscheduled, unready, most recently ready, most restarts, youngest. */
export function deletionOrder(pods: Pod[]): Pod[] {
  const rank = (pod: Pod): number[] => [
    pod.spec.nodeName ? 1 : 0,
    { Pending: 0, Unknown: 1, Running: 2, Succeeded: 2, Failed: 2 }[pod.status.phase],
    isReady(pod) ? 1 : 0,
    -Date.parse(pod.status.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? '') || 0,
    -Math.max(0, ...(pod.status.containerStatuses ?? []).map(({ restartCount }) => restartCount)),
    -Date.parse(pod.metadata.creationTimestamp),
  ]
  return [...pods].sort((a, b) => {
    const [left, right] = [rank(a), rank(b)]
    const n = left.findIndex((value, index) => value !== right[index])
    return n < 0 ? 0 : (left[n] ?? 0) - (right[n] ?? 0)
  })
}

function summarize(set: ReplicaSet, pods: Pod[], failure: string | undefined, now: number): ReplicaSet['status'] {
  const ready = pods.filter(isReady)
  const minReady = set.spec.minReadySeconds ?? 0
  let conditions: Condition[] = set.status.conditions ?? []
  if (failure === undefined) conditions = conditions.filter(({ type }) => type !== 'ReplicaFailure')
  // The first refusal is kept until there is none: each names another pod, and recording all would change the set,
  // which would be reconciled and refused again at once.
  else if (!conditions.some(({ type }) => type === 'ReplicaFailure')) {
    const given: Condition = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: failure }
    conditions = withCondition(conditions, given, seconds(now)).map(({ lastProbeTime: _, ...one }) => one)
  }
  const available = ready.filter((pod) => availability(pod, minReady, now).available).length
  return {
    replicas: pods.length,
    ...(pods.length > 0 ? { fullyLabeledReplicas: pods.length } : {}),
    ...(ready.length > 0 ? { readyReplicas: ready.length } : {}),
    ...(available > 0 ? { availableReplicas: available } : {}),
    observedGeneration: set.metadata.generation ?? 1,
    ...(conditions.length > 0 ? { conditions } : {}),
  }
}

/** Milliseconds until a refused pod is retried; freed quota triggers a retry at once. */
const retry = 5000

export const replicaSets: Controller = {
  name: 'replica sets',
  affected(cluster, change) {
    if (change.resource === 'replicasets.apps') return [keyOf(change.object)]
    if (change.resource === 'pods') {
      const freed = change.type === 'DELETED' ? wanting(cluster, change.object.metadata.namespace) : []
      return [...owners(change, 'ReplicaSet'), ...freed]
    }
    const limits = change.resource === 'resourcequotas' || change.resource === 'limitranges'
    return limits ? wanting(cluster, change.object.metadata.namespace) : []
  },
  reconcile(cluster, namespace, name, later) {
    const { store } = cluster
    const set = store.get('replicasets.apps', namespace, name)
    if (!set) return
    const all = claimed(cluster, 'pods', set, store.list('pods', namespace))
    const active = all.filter(isActive)
    let failure: string | undefined
    if (!set.metadata.deletionTimestamp) {
      const missing = set.spec.replicas - active.length
      for (let n = 0; n < missing && failure === undefined; n++) failure = createPod(cluster, set, set.spec.template)
      for (const pod of deletionOrder(active).slice(0, Math.max(-missing, 0))) deletePod(cluster, set, pod)
    }
    if (failure !== undefined) later(retry)
    const left = store
      .list('pods', namespace)
      .filter((pod) => isActive(pod) && pod.metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid))
    const now = cluster.now()
    for (const pod of left) later(availability(pod, set.spec.minReadySeconds ?? 0, now).wait)
    const status = summarize(set, left, failure, now)
    if (!sameValue(status, set.status)) store.put('replicasets.apps', { ...set, status })
  },
}

const wanting = ({ store }: Cluster, namespace: string | undefined): string[] =>
  store
    .list('replicasets.apps', namespace)
    .filter(({ status }) => status.conditions?.some(({ type }) => type === 'ReplicaFailure'))
    .map(keyOf)
