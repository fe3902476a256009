import type { Cluster } from '../../cluster.ts'
import type { Toleration } from '../../objects/places.ts'
import type { Pod, PodSpec } from '../../objects/types.ts'
import { type DaemonSet, templateCount } from '../../objects/workloads.ts'
import { sameValue } from '../../objects/record.ts'
import { keyOf, owners, type Controller } from '../loop.ts'
import { fitsAffinity, repelled } from '../placement.ts'
import { claimed, createPod, deletePod, isActive, isReady, templateHash } from '../pods.ts'

const revisionLabel = 'controller-revision-hash'
const countLabel = 'pod-template-generation'

const countOf = ({ metadata }: DaemonSet): string => metadata.annotations?.[templateCount] ?? ''

/** Whether a pod was created from the present template: by the template's hash or number. */
const isUpdated = ({ metadata }: Pod, set: DaemonSet, revision: string): boolean =>
  metadata.labels?.[revisionLabel] === revision || metadata.labels?.[countLabel] === countOf(set)

/** The nodes that should have a daemon, and those where an existing one may stay. */
interface Places {
  wanted: string[]
  bearable: string[]
}

/** Taints for a node's state, which daemons tolerate. */
const tolerated: Toleration[] = [
  ...['not-ready', 'unreachable'].map((name) => ({ name, effect: 'NoExecute' })),
  ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((name) => ({
    name,
    effect: 'NoSchedule',
  })),
].map(({ name, effect }) => ({ key: `node.kubernetes.io/${name}`, operator: 'Exists', effect }))

function nodesFor({ store }: Cluster, { spec }: DaemonSet): Places {
  const given = spec.template.spec
  const pod = { ...given, tolerations: [...(given.tolerations ?? []), ...tolerated] }
  const fitting = store.list('nodes').filter((node) => fitsAffinity(pod, node))
  const without = (effects: string[]): string[] =>
    fitting.filter((node) => !repelled(pod, node, effects)).map(({ metadata }) => metadata.name)
  return { wanted: without(['NoSchedule', 'NoExecute']), bearable: without(['NoExecute']) }
}

function advance(cluster: Cluster, set: DaemonSet, pods: Pod[], places: Places, revision: string): boolean {
  let refused = false
  for (const node of places.wanted) {
    if (pods.some((pod) => pod.spec.nodeName === node)) continue
    const given = {
      labels: { [revisionLabel]: revision, [countLabel]: countOf(set) },
      change: ({ spec }: { spec: PodSpec }): void => {
        spec.nodeName = node
        spec.tolerations = [...(spec.tolerations ?? []), ...tolerated]
      },
    }
    refused ||= createPod(cluster, set, set.spec.template, given) !== undefined
  }
  for (const pod of pods)
    if (isActive(pod) && !places.bearable.includes(pod.spec.nodeName ?? '')) deletePod(cluster, set, pod)
    else if (!isActive(pod) && !pod.metadata.deletionTimestamp) deletePod(cluster, set, pod)
  if (set.spec.updateStrategy?.type === 'OnDelete') return refused
  const settled = pods.every((pod) => isActive(pod) && isReady(pod)) && pods.length >= places.wanted.length
  const stale = pods.find((pod) => isActive(pod) && !isUpdated(pod, set, revision))
  // One at a time; an unready one may be replaced at once.
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
    const places = nodesFor(cluster, set)
    const nodes = places.wanted
    const revision = templateHash(set.spec.template)
    const before = claimed(cluster, 'pods', set, store.list('pods', namespace))
    if (advance(cluster, set, before, places, revision)) later(5000)
    const pods = store
      .list('pods', namespace)
      .filter((pod) => isActive(pod) && pod.metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid))
    const ready = pods.filter(isReady).length
    const updated = pods.filter((pod) => isUpdated(pod, set, revision)).length
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
