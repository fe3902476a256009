import type { Cluster } from '../../cluster.ts'
import type { PodTemplate } from '../../objects/types.ts'
import type { Deployment, ReplicaSet } from '../../objects/workloads.ts'
import { sameValue } from '../../objects/record.ts'
import { newMeta } from '../../store/store.ts'
import { bounds, planRollout, sizeOf, type Plan } from './deployment-plan.ts'
import { deploymentStatus, progressWait } from './deployment-status.ts'
import { keyOf, owners, type Controller } from '../loop.ts'
import { claimed, ownerReference, templateHash } from '../pods.ts'
import { record } from '../record.ts'

const revisionKey = 'deployment.kubernetes.io/revision'
const desiredKey = 'deployment.kubernetes.io/desired-replicas'
const maxKey = 'deployment.kubernetes.io/max-replicas'
const hashLabel = 'pod-template-hash'

const revisionOf = ({ metadata }: { metadata: ReplicaSet['metadata'] }): number =>
  Number(metadata.annotations?.[revisionKey] ?? 0)

/** A replica set's template in the form of its deployment's. */
function plainTemplate({ spec }: ReplicaSet): PodTemplate {
  const { [hashLabel]: _, ...labels } = spec.template.metadata?.labels ?? {}
  return { ...spec.template, metadata: { ...spec.template.metadata, labels } }
}

const normal = (template: PodTemplate): unknown => ({
  ...template,
  metadata: { labels: template.metadata?.labels ?? {}, annotations: template.metadata?.annotations ?? {} },
})

/** Annotations of a deployment that are copied to its replica sets. */
function carried(deployment: Deployment): Record<string, string> {
  const own = new Set([revisionKey, desiredKey, maxKey, 'kubectl.kubernetes.io/last-applied-configuration'])
  return Object.fromEntries(Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !own.has(key)))
}

function newSet(deployment: Deployment, revision: number, replicas: number, now: number): ReplicaSet {
  const { metadata, spec } = deployment
  const hash = templateHash(spec.template)
  const labels = { ...spec.template.metadata?.labels, [hashLabel]: hash }
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${metadata.name}-${hash}`,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      ...newMeta(now),
      generation: 1,
      labels,
      annotations: {
        ...carried(deployment),
        [revisionKey]: String(revision),
        [desiredKey]: String(spec.replicas),
        [maxKey]: String(spec.replicas + bounds(deployment).maxSurge),
      },
      ownerReferences: [ownerReference(deployment)],
    },
    spec: {
      replicas,
      ...(spec.minReadySeconds ? { minReadySeconds: spec.minReadySeconds } : {}),
      selector: {
        ...spec.selector,
        matchLabels: { ...spec.selector.matchLabels, [hashLabel]: hash },
      },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
    status: { replicas: 0 },
  }
}

/** The replica set of the deployment's present template, marked with the newest revision. */
function currentSet(cluster: Cluster, deployment: Deployment, sets: ReplicaSet[]): ReplicaSet | undefined {
  const wanted = normal(deployment.spec.template)
  const found = sets.find((set) => sameValue(normal(plainTemplate(set)), wanted))
  if (!found) return undefined
  const newest = Math.max(0, ...sets.filter((set) => set !== found).map(revisionOf))
  const revision = Math.max(newest + 1, revisionOf(found))
  const annotations = { ...found.metadata.annotations, ...carried(deployment), [revisionKey]: String(revision) }
  const minReadySeconds = deployment.spec.minReadySeconds ?? 0
  if (sameValue(annotations, found.metadata.annotations) && (found.spec.minReadySeconds ?? 0) === minReadySeconds)
    return found
  const spec = { ...found.spec, ...(minReadySeconds ? { minReadySeconds } : {}) }
  return cluster.store.put('replicasets.apps', { ...found, spec, metadata: { ...found.metadata, annotations } })
}

function recordScaling(cluster: Cluster, deployment: Deployment, set: ReplicaSet, from: number, to: number): void {
  record(cluster, deployment, {
    type: 'Normal',
    reason: 'ScalingReplicaSet',
    message: `Scaled ${to > from ? 'up' : 'down'} replica set ${set.metadata.name} from ${from} to ${to}`,
    component: 'deployment-controller',
  })
}

function makeSet(cluster: Cluster, deployment: Deployment, sets: ReplicaSet[], replicas: number): ReplicaSet {
  const revision = Math.max(0, ...sets.map(revisionOf)) + 1
  const made = cluster.store.put('replicasets.apps', newSet(deployment, revision, replicas, cluster.now()))
  if (replicas > 0) recordScaling(cluster, deployment, made, 0, replicas)
  return made
}

function resize(cluster: Cluster, deployment: Deployment, set: ReplicaSet, replicas: number): ReplicaSet {
  const from = set.spec.replicas
  const annotations = {
    ...set.metadata.annotations,
    [desiredKey]: String(deployment.spec.replicas),
    [maxKey]: String(deployment.spec.replicas + bounds(deployment).maxSurge),
  }
  if (from === replicas && sameValue(annotations, set.metadata.annotations)) return set
  const generation = (set.metadata.generation ?? 1) + (from === replicas ? 0 : 1)
  const next = cluster.store.put('replicasets.apps', {
    ...set,
    metadata: { ...set.metadata, annotations, generation },
    spec: { ...set.spec, replicas },
  })
  if (from !== replicas) recordScaling(cluster, deployment, set, from, replicas)
  return next
}

/** Deletes empty replica sets beyond the history limit. */
function forget(cluster: Cluster, deployment: Deployment, old: ReplicaSet[]): void {
  const empty = old.filter(({ spec, status }) => spec.replicas === 0 && status.replicas === 0)
  const extra = empty.length - (deployment.spec.revisionHistoryLimit ?? 10)
  const oldest = empty.sort((a, b) => revisionOf(a) - revisionOf(b)).slice(0, Math.max(extra, 0))
  for (const { metadata } of oldest) cluster.store.remove('replicasets.apps', metadata.namespace, metadata.name)
}

export const deployments: Controller = {
  name: 'deployments',
  affected(_, change) {
    if (change.resource === 'deployments.apps') return [keyOf(change.object)]
    return change.resource === 'replicasets.apps' ? owners(change, 'Deployment') : []
  },
  reconcile(cluster, namespace, name, later) {
    const { store } = cluster
    const deployment = store.get('deployments.apps', namespace, name)
    if (!deployment || deployment.metadata.deletionTimestamp) return
    const before = claimed(cluster, 'replicasets.apps', deployment, store.list('replicasets.apps', namespace))
    const resized = before.some(
      ({ metadata, spec }) =>
        spec.replicas > 0 && metadata.annotations?.[desiredKey] !== String(deployment.spec.replicas),
    )
    let current = currentSet(cluster, deployment, before)
    const rest = before.filter(({ metadata }) => metadata.uid !== current?.metadata.uid)
    let old = rest.sort((a, b) => revisionOf(b) - revisionOf(a))
    const { maxSurge, maxUnavailable } = bounds(deployment)
    const plan: Plan = planRollout(
      {
        replicas: deployment.spec.replicas,
        strategy: deployment.spec.strategy.type === 'Recreate' ? 'Recreate' : 'RollingUpdate',
        maxSurge,
        maxUnavailable,
        paused: deployment.spec.paused === true,
        current: current ? sizeOf(current) : { wanted: 0, actual: 0, available: 0 },
        old: old.map(sizeOf),
      },
      resized,
    )
    if (current) current = resize(cluster, deployment, current, plan.current)
    else if (!deployment.spec.paused) current = makeSet(cluster, deployment, before, plan.current)
    old = old.map((set, n) => resize(cluster, deployment, set, plan.old[n] ?? set.spec.replicas))
    forget(cluster, deployment, old)

    const revision = current?.metadata.annotations?.[revisionKey]
    const status = deploymentStatus(deployment, current, old, cluster.now())
    later(progressWait(deployment, status, cluster.now()))
    const sameRevision = revision === undefined || deployment.metadata.annotations?.[revisionKey] === revision
    if (sameRevision && sameValue(status, deployment.status)) return
    const annotations = {
      ...deployment.metadata.annotations,
      ...(revision === undefined ? {} : { [revisionKey]: revision }),
    }
    store.put('deployments.apps', { ...deployment, metadata: { ...deployment.metadata, annotations }, status })
  },
}
