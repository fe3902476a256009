import type { Cluster } from '../cluster.ts'
import { sameValue } from '../objects/record.ts'
import { labelSelector } from '../objects/selectors.ts'
import type { Condition, Pod } from '../objects/types.ts'
import type { DisruptionBudget } from '../objects/workloads.ts'
import { seconds } from '../store/store.ts'
import { keyOf, type Controller } from './loop.ts'
import { controllerOf, isFinished, isReady } from './pods.ts'

/** The wanted number of pods of all owners of these pods. */
function expected({ store }: Cluster, pods: Pod[]): number {
  const owners = new Map<string, number>()
  for (const pod of pods) {
    const owner = controllerOf(pod)
    const { namespace } = pod.metadata
    const set =
      owner &&
      (store.get('replicasets.apps', namespace, owner.name) ?? store.get('statefulsets.apps', namespace, owner.name))
    if (set?.metadata.uid === owner?.uid && set) owners.set(set.metadata.uid, set.spec.replicas)
    else owners.set(pod.metadata.uid, 1)
  }
  return [...owners.values()].reduce((sum, one) => sum + one, 0)
}

const scaled = (value: number | string, of: number): number =>
  typeof value === 'number' ? value : Math.ceil((Number.parseFloat(value) * of) / 100)

function statusOf(cluster: Cluster, budget: DisruptionBudget, pods: Pod[]): DisruptionBudget['status'] {
  const { spec, metadata, status: before } = budget
  const total = expected(cluster, pods)
  const healthy = pods.filter((pod) => isReady(pod) && !pod.metadata.deletionTimestamp).length
  const least =
    spec.maxUnavailable === undefined
      ? scaled(spec.minAvailable ?? 1, total)
      : Math.max(total - scaled(spec.maxUnavailable, total), 0)
  const allowed = total > 0 ? Math.max(healthy - least, 0) : 0
  const wanted: Condition = {
    type: 'DisruptionAllowed',
    status: allowed > 0 ? 'True' : 'False',
    reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  }
  const old = before.conditions?.find(({ type }) => type === wanted.type)
  const lastTransitionTime = old?.status === wanted.status ? (old.lastTransitionTime ?? '') : seconds(cluster.now())
  return {
    observedGeneration: metadata.generation ?? 1,
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: least,
    expectedPods: total,
    conditions: [{ ...wanted, lastTransitionTime }],
  }
}

/** Counts how many pods of each disruption budget may be evicted. */
export const budgets: Controller = {
  name: 'budgets',
  affected({ store }, { resource, object, previous }) {
    if (resource === 'poddisruptionbudgets.policy') return [keyOf(object)]
    if (resource !== 'pods') return []
    return store
      .list('poddisruptionbudgets.policy', object.metadata.namespace)
      .filter(({ spec }) =>
        [object, previous].some((one) => one && labelSelector(spec.selector ?? undefined)(one.metadata.labels)),
      )
      .map(keyOf)
  },
  reconcile(cluster, namespace, name) {
    const { store } = cluster
    const budget = store.get('poddisruptionbudgets.policy', namespace, name)
    if (!budget) return
    const fits = labelSelector(budget.spec.selector ?? undefined)
    const pods = store.list('pods', namespace).filter((pod) => fits(pod.metadata.labels) && !isFinished(pod))
    const status = statusOf(cluster, budget, pods)
    if (!sameValue(status, budget.status)) store.put('poddisruptionbudgets.policy', { ...budget, status })
  },
}
