import { createObject } from '../../api/write.ts'
import type { Cluster } from '../../cluster.ts'
import { kindOf } from '../../objects/kinds.ts'
import type { Pod, PodSpec } from '../../objects/types.ts'
import type { StatefulSet } from '../../objects/workloads.ts'
import { sameValue } from '../../objects/record.ts'
import { keyOf, owners, type Controller } from '../loop.ts'
import { availability, claimed, createPod, deletePod, isActive, isReady, templateHash } from '../pods.ts'

const revisionLabel = 'controller-revision-hash'

const ordinalOf = ({ metadata }: Pod): number => Number(/-(\d+)$/.exec(metadata.name)?.[1] ?? -1)
const revisionOf = ({ metadata }: Pod): string => metadata.labels?.[revisionLabel] ?? ''

/** Each pod has its own claims, which remain when it is deleted. */
function makeClaims(cluster: Cluster, set: StatefulSet, pod: string): void {
  for (const template of set.spec.volumeClaimTemplates ?? []) {
    const name = `${template.metadata.name}-${pod}`
    if (cluster.store.get('persistentvolumeclaims', set.metadata.namespace, name)) continue
    const { labels } = set.spec.selector.matchLabels ? { labels: set.spec.selector.matchLabels } : {}
    createObject(cluster, kindOf('persistentvolumeclaims'), set.metadata.namespace, {
      metadata: { name, labels: { ...template.metadata.labels, ...labels } },
      spec: template.spec,
    })
  }
}

function makePod(cluster: Cluster, set: StatefulSet, ordinal: number, revision: string): string | undefined {
  const name = `${set.metadata.name}-${ordinal}`
  makeClaims(cluster, set, name)
  const volumes = (set.spec.volumeClaimTemplates ?? []).map(({ metadata }) => ({
    name: metadata.name,
    persistentVolumeClaim: { claimName: `${metadata.name}-${name}` },
  }))
  const change = ({ spec }: { spec: PodSpec }): void => {
    spec.hostname = name
    if (set.spec.serviceName) spec.subdomain = set.spec.serviceName
    const own = (spec.volumes ?? []).filter((volume) => !volumes.some((one) => one.name === volume.name))
    if (volumes.length > 0) spec.volumes = [...own, ...volumes]
  }
  return createPod(cluster, set, set.spec.template, {
    name,
    labels: {
      [revisionLabel]: revision,
      'statefulset.kubernetes.io/pod-name': name,
      'apps.kubernetes.io/pod-index': String(ordinal),
    },
    change,
  })
}

/** Takes the one step that is possible now; with `Parallel` all steps that are due. Answers a refusal's message. */
function advance(cluster: Cluster, set: StatefulSet, pods: Pod[], revision: string): string | undefined {
  const { replicas, podManagementPolicy, updateStrategy } = set.spec
  const ordered = podManagementPolicy === 'OrderedReady'
  const at = new Map(pods.map((pod) => [ordinalOf(pod), pod]))
  for (let ordinal = 0; ordinal < replicas; ordinal++) {
    const pod = at.get(ordinal)
    if (!pod) {
      const refused = makePod(cluster, set, ordinal, revision)
      if (refused !== undefined || ordered) return refused
    } else if (!isActive(pod)) {
      if (!pod.metadata.deletionTimestamp) deletePod(cluster, set, pod)
      if (ordered) return undefined
    } else if (ordered && !isReady(pod)) return undefined
  }
  const extra = pods.filter((pod) => ordinalOf(pod) >= replicas).sort((a, b) => ordinalOf(b) - ordinalOf(a))
  for (const pod of extra) {
    if (!pod.metadata.deletionTimestamp) deletePod(cluster, set, pod)
    if (ordered) return undefined
  }
  if (updateStrategy.type !== 'RollingUpdate') return undefined
  // From the last pod down, one at a time, each after those above it are ready again.
  const partition = updateStrategy.rollingUpdate?.partition ?? 0
  for (let ordinal = replicas - 1; ordinal >= partition; ordinal--) {
    const pod = at.get(ordinal)
    if (!pod) return undefined
    if (revisionOf(pod) !== revision) {
      if (!pod.metadata.deletionTimestamp) deletePod(cluster, set, pod)
      return undefined
    }
    if (!isReady(pod)) return undefined
  }
  return undefined
}

export const statefulSets: Controller = {
  name: 'stateful sets',
  affected: (_, change) =>
    change.resource === 'statefulsets.apps'
      ? [keyOf(change.object)]
      : change.resource === 'pods'
        ? owners(change, 'StatefulSet')
        : [],
  reconcile(cluster, namespace, name, later) {
    const { store } = cluster
    const set = store.get('statefulsets.apps', namespace, name)
    if (!set || set.metadata.deletionTimestamp) return
    const revision = `${name}-${templateHash(set.spec.template)}`
    const before = claimed(cluster, 'pods', set, store.list('pods', namespace))
    if (advance(cluster, set, before, revision) !== undefined) later(5000)

    const pods = store
      .list('pods', namespace)
      .filter((pod) => pod.metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid))
    const now = cluster.now()
    const states = pods.map((pod) => availability(pod, set.spec.minReadySeconds ?? 0, now))
    for (const { wait } of states) later(wait)
    const updated = pods.filter((pod) => revisionOf(pod) === revision)
    const done = updated.length === set.spec.replicas && pods.length === updated.length && updated.every(isReady)
    const currentRevision = done ? revision : (set.status.currentRevision ?? revision)
    const current = pods.filter((pod) => revisionOf(pod) === currentRevision).length
    const ready = pods.filter(isReady).length
    const status: StatefulSet['status'] = {
      observedGeneration: set.metadata.generation ?? 1,
      replicas: pods.length,
      ...(ready > 0 ? { readyReplicas: ready } : {}),
      availableReplicas: states.filter(({ available }) => available).length,
      ...(current > 0 ? { currentReplicas: current } : {}),
      ...(updated.length > 0 ? { updatedReplicas: updated.length } : {}),
      currentRevision,
      updateRevision: revision,
      collisionCount: 0,
    }
    if (!sameValue(status, set.status)) store.put('statefulsets.apps', { ...set, status })
  },
}
