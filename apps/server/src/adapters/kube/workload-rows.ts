import type {
  V1DaemonSet,
  V1Deployment,
  V1DeploymentCondition,
  V1Job,
  V1PodSpec,
  V1ReplicaSet,
  V1StatefulSet,
} from '@kubernetes/client-node'
import { base, intern, short } from './keep.ts'
import type { BaseRow } from './keep.ts'
import type { Wire } from './objects.ts'

/** `failed`: its deadline has passed without progress; it may still recover. */
export type Rollout = 'progressing' | 'complete' | 'failed' | 'paused'

export interface WorkloadRow extends BaseRow {
  /** Pods that are wanted. */
  replicas: number
  /** Pods, of all revisions, that are ready; of the newest; and ready for the minimum time. */
  ready: number
  updated: number
  available: number
  rollout: Rollout
  /** Why the rollout does not go on, in the cluster's words. */
  message: string | undefined
  images: { container: string; image: string }[]
  /** The labels that select its pods. */
  selector: Record<string, string>
}

const imagesOf = (spec: Wire<V1PodSpec> | undefined) =>
  (spec?.containers ?? []).map(({ name, image }) => ({ container: intern(name), image: intern(image ?? '') }))

const conditionOf = (conditions: Wire<V1DeploymentCondition>[] | undefined, type: string) =>
  conditions?.find((condition) => condition.type === type)

/** The rules of `kubectl rollout status`. */
function deploymentRollout({ metadata, spec, status }: Wire<V1Deployment>): Rollout {
  if ((status?.observedGeneration ?? 0) < (metadata?.generation ?? 0)) return 'progressing'
  const wanted = spec?.replicas ?? 1
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {}
  const complete = updatedReplicas >= wanted && replicas <= updatedReplicas && availableReplicas >= updatedReplicas
  if (conditionOf(status?.conditions, 'Progressing')?.reason === 'ProgressDeadlineExceeded') return 'failed'
  if (complete) return 'complete'
  return spec?.paused ? 'paused' : 'progressing'
}

export function deploymentRow(deployment: Wire<V1Deployment>): WorkloadRow {
  const { spec, status } = deployment
  const refused = conditionOf(status?.conditions, 'ReplicaFailure')
  const progress = conditionOf(status?.conditions, 'Progressing')
  const stuck = refused?.status === 'True' ? refused : progress?.status === 'False' ? progress : undefined
  return {
    ...base(deployment),
    replicas: spec?.replicas ?? 1,
    ready: status?.readyReplicas ?? 0,
    updated: status?.updatedReplicas ?? 0,
    available: status?.availableReplicas ?? 0,
    rollout: deploymentRollout(deployment),
    message: short(stuck?.message),
    images: imagesOf(spec?.template.spec),
    selector: spec?.selector.matchLabels ?? {},
  }
}

function statefulRollout({ metadata, spec, status }: Wire<V1StatefulSet>): Rollout {
  if ((status?.observedGeneration ?? 0) < (metadata?.generation ?? 0)) return 'progressing'
  const wanted = spec?.replicas ?? 1
  if ((status?.readyReplicas ?? 0) < wanted) return 'progressing'
  const partition = spec?.updateStrategy?.rollingUpdate?.partition ?? 0
  if (partition > 0) return (status?.updatedReplicas ?? 0) >= wanted - partition ? 'complete' : 'progressing'
  return status?.updateRevision === status?.currentRevision ? 'complete' : 'progressing'
}

export function statefulSetRow(set: Wire<V1StatefulSet>): WorkloadRow {
  const { spec, status } = set
  return {
    ...base(set),
    replicas: spec?.replicas ?? 1,
    ready: status?.readyReplicas ?? 0,
    updated: status?.updatedReplicas ?? 0,
    available: status?.availableReplicas ?? 0,
    rollout: statefulRollout(set),
    message: short(status?.conditions?.find(({ status }) => status === 'False')?.message),
    images: imagesOf(spec?.template.spec),
    selector: spec?.selector.matchLabels ?? {},
  }
}

export function daemonSetRow(set: Wire<V1DaemonSet>): WorkloadRow {
  const { metadata, spec, status } = set
  const wanted = status?.desiredNumberScheduled ?? 0
  const updated = status?.updatedNumberScheduled ?? 0
  const available = status?.numberAvailable ?? 0
  const seen = (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0)
  return {
    ...base(set),
    replicas: wanted,
    ready: status?.numberReady ?? 0,
    updated,
    available,
    rollout: seen && updated >= wanted && available >= wanted ? 'complete' : 'progressing',
    message: undefined,
    images: imagesOf(spec?.template.spec),
    selector: spec?.selector.matchLabels ?? {},
  }
}

export interface ReplicaSetRow extends BaseRow {
  replicas: number
  ready: number
  /** The deployment's count of its rollouts. */
  revision: number
  images: { container: string; image: string }[]
}

export function replicaSetRow(set: Wire<V1ReplicaSet>): ReplicaSetRow {
  return {
    ...base(set),
    replicas: set.spec?.replicas ?? 1,
    ready: set.status?.readyReplicas ?? 0,
    revision: Number(set.metadata?.annotations?.['deployment.kubernetes.io/revision'] ?? 0),
    images: imagesOf(set.spec?.template?.spec),
  }
}

export interface JobRow extends BaseRow {
  state: 'running' | 'complete' | 'failed' | 'suspended'
  active: number
  succeeded: number
  failed: number
  started: string | undefined
  finished: string | undefined
  message: string | undefined
}

export function jobRow(job: Wire<V1Job>): JobRow {
  const { status, spec } = job
  const end = status?.conditions?.find(
    ({ type, status }) => status === 'True' && (type === 'Complete' || type === 'Failed'),
  )
  return {
    ...base(job),
    state: end ? (end.type === 'Complete' ? 'complete' : 'failed') : spec?.suspend ? 'suspended' : 'running',
    active: status?.active ?? 0,
    succeeded: status?.succeeded ?? 0,
    failed: status?.failed ?? 0,
    started: status?.startTime,
    finished: status?.completionTime ?? end?.lastTransitionTime,
    message: short(end?.message),
  }
}
