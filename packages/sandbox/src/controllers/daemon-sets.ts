import type { Cluster } from '../cluster.ts'
import type { Pod } from '../objects/types.ts'
import type { DaemonSet } from '../objects/workloads.ts'
import { sameValue } from '../objects/record.ts'
import { keyOf, owners, type Controller } from './loop.ts'
import { claimed, createPod, deletePod, isActive, isReady, templateHash } from './pods.ts'

const revisionLabel = 'controller-revision-hash'

/** The nodes whose labels fit; a daemon runs also where others are kept off. */
function nodesFor({ store }: Cluster, { spec }: DaemonSet): string[] {
  const wanted = Object.entries(spec.template.spec.nodeSelector ?? {})
  return store
    .list('nodes')
    .filter(({ metadata }) => wanted.every(([key, value]) => metadata.labels?.[key] === value))
    .map(({ metadata }) => metadata.name)
}

function advance(cluster: Cluster, set: DaemonSet, pods: Pod[], nodes: string[], revision: string): boolean {
  let refused = false
  for (const node of nodes) {
    if (pods.some((pod) => pod.spec.nodeName === node)) continue
    const given = {
      labels: { [revisionLabel]: revision },
      change: ({ spec }: { spec: DaemonSet['spec']['template']['spec'] }): void => void (spec.nodeName = node),
    }
    refused ||= createPod(cluster, set, set.spec.template, given) !== undefined
  }
  for (const pod of pods)
    if (isActive(pod) && !nodes.includes(pod.spec.nodeName ?? '')) deletePod(cluster, set, pod)
    else if (!isActive(pod) && !pod.metadata.deletionTimestamp) deletePod(cluster, set, pod)
  if (set.spec.updateStrategy?.type === 'OnDelete') return refused
  const settled = pods.every((pod) => isActive(pod) && isReady(pod)) && pods.length === nodes.length
  const stale = pods.find((pod) => isActive(pod) && pod.metadata.labels?.[revisionLabel] !== revision)
  // One at a time; one that is not ready yet may be replaced at once.
  if (stale && (settled || !isReady(stale))) deletePod(cluster, set, stale)
  return refused
}

export const daemonSets: Controller = {
  name: 'daemon sets',
  affected({ store }, change) {
    if (change.resource === 'daemonsets.apps') return [keyOf(change.object)]
    if (change.resource === 'nodes') return store.list('daemonsets.apps').map(keyOf)
    return change.resource === 'pods' ? owners(change, 'DaemonSet') : []
  },
  reconcile(cluster, namespace, name, later) {
    const { store } = cluster
    const set = store.get('daemonsets.apps', namespace, name)
    if (!set || set.metadata.deletionTimestamp) return
    const nodes = nodesFor(cluster, set)
    const revision = templateHash(set.spec.template)
    const before = claimed(cluster, 'pods', set, store.list('pods', namespace))
    if (advance(cluster, set, before, nodes, revision)) later(5000)
    const pods = store
      .list('pods', namespace)
      .filter((pod) => isActive(pod) && pod.metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid))
    const ready = pods.filter(isReady).length
    const updated = pods.filter((pod) => pod.metadata.labels?.[revisionLabel] === revision).length
    const missing = nodes.length - ready
    const status: DaemonSet['status'] = {
      currentNumberScheduled: pods.length,
      desiredNumberScheduled: nodes.length,
      numberMisscheduled: 0,
      numberReady: ready,
      ...(ready > 0 ? { numberAvailable: ready } : {}),
      ...(missing > 0 ? { numberUnavailable: missing } : {}),
      ...(updated > 0 ? { updatedNumberScheduled: updated } : {}),
      observedGeneration: set.metadata.generation ?? 1,
    }
    if (!sameValue(status, set.status)) store.put('daemonsets.apps', { ...set, status })
  },
}
