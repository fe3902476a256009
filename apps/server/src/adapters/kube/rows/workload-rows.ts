import type {
  V1CronJob,
  V1DaemonSet,
  V1Deployment,
  V1DeploymentCondition,
  V1Job,
  V1PodSpec,
  V1ReplicaSet,
  V1StatefulSet,
} from '@kubernetes/client-node'
import { base, count, intern, list, optionalCount, optionalText, short, text, textsByName } from '../parse-object.ts'
import type { BaseRow } from '../parse-object.ts'
import type { Wire } from '../objects.ts'

/** `failed`: its deadline has passed without progress; it may still recover. */
export type Rollout = 'progressing' | 'complete' | 'failed' | 'paused'

export interface WorkloadRow extends BaseRow {
  /** Desired pods. */
  replicas: number
  /** Ready pods of all revisions; pods of the newest; pods that were ready for the minimum time. */
  ready: number
  updated: number
  available: number
  rollout: Rollout
  /** Why the rollout is stuck, in the cluster's words. */
  message: string | undefined
  images: { container: string; image: string }[]
  /** The labels that select its pods. */
  selector: Record<string, string>
}

const imagesOf = (spec: Wire<V1PodSpec> | undefined) =>
  list(spec?.containers).map(({ name, image }) => ({ container: intern(name), image: intern(image) }))

const conditionOf = (conditions: Wire<V1DeploymentCondition>[] | undefined, type: string) =>
  list(conditions).find((condition) => condition.type === type)

/** The rules of `kubectl rollout status`. */
function deploymentRollout({ metadata, spec, status }: Wire<V1Deployment>): Rollout {
  if (count(status?.observedGeneration) < count(metadata?.generation)) return 'progressing'
  const wanted = optionalCount(spec?.replicas) ?? 1
  const updated = count(status?.updatedReplicas)
  const complete =
    updated >= wanted && count(status?.replicas) <= updated && count(status?.availableReplicas) >= updated
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
    replicas: optionalCount(spec?.replicas) ?? 1,
    ready: count(status?.readyReplicas),
    updated: count(status?.updatedReplicas),
    available: count(status?.availableReplicas),
    rollout: deploymentRollout(deployment),
    message: short(stuck?.message),
    images: imagesOf(spec?.template?.spec),
    selector: textsByName(spec?.selector?.matchLabels),
  }
}

function statefulRollout({ metadata, spec, status }: Wire<V1StatefulSet>): Rollout {
  if (count(status?.observedGeneration) < count(metadata?.generation)) return 'progressing'
  const wanted = optionalCount(spec?.replicas) ?? 1
  if (count(status?.readyReplicas) < wanted) return 'progressing'
  const partition = count(spec?.updateStrategy?.rollingUpdate?.partition)
  if (partition > 0) return count(status?.updatedReplicas) >= wanted - partition ? 'complete' : 'progressing'
  return status?.updateRevision === status?.currentRevision ? 'complete' : 'progressing'
}

export function statefulSetRow(set: Wire<V1StatefulSet>): WorkloadRow {
  const { spec, status } = set
  return {
    ...base(set),
    replicas: optionalCount(spec?.replicas) ?? 1,
    ready: count(status?.readyReplicas),
    updated: count(status?.updatedReplicas),
    available: count(status?.availableReplicas),
    rollout: statefulRollout(set),
    message: short(list(status?.conditions).find(({ status }) => status === 'False')?.message),
    images: imagesOf(spec?.template?.spec),
    selector: textsByName(spec?.selector?.matchLabels),
  }
}

export function daemonSetRow(set: Wire<V1DaemonSet>): WorkloadRow {
  const { metadata, spec, status } = set
  const wanted = count(status?.desiredNumberScheduled)
  const updated = count(status?.updatedNumberScheduled)
  const available = count(status?.numberAvailable)
  const seen = count(status?.observedGeneration) >= count(metadata?.generation)
  return {
    ...base(set),
    replicas: wanted,
    ready: count(status?.numberReady),
    updated,
    available,
    rollout: seen && updated >= wanted && available >= wanted ? 'complete' : 'progressing',
    message: undefined,
    images: imagesOf(spec?.template?.spec),
    selector: textsByName(spec?.selector?.matchLabels),
  }
}

export interface ReplicaSetRow extends BaseRow {
  replicas: number
  ready: number
  /** The deployment's revision number. */
  revision: number
  images: { container: string; image: string }[]
}

export function replicaSetRow(set: Wire<V1ReplicaSet>): ReplicaSetRow {
  return {
    ...base(set),
    replicas: optionalCount(set.spec?.replicas) ?? 1,
    ready: count(set.status?.readyReplicas),
    revision: count(Number(text(set.metadata?.annotations?.['deployment.kubernetes.io/revision']))),
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
  const end = list(status?.conditions).find(
    ({ type, status }) => status === 'True' && (type === 'Complete' || type === 'Failed'),
  )
  return {
    ...base(job),
    state: end ? (end.type === 'Complete' ? 'complete' : 'failed') : spec?.suspend ? 'suspended' : 'running',
    active: count(status?.active),
    succeeded: count(status?.succeeded),
    failed: count(status?.failed),
    started: optionalText(status?.startTime),
    finished: optionalText(status?.completionTime ?? end?.lastTransitionTime),
    message: short(end?.message),
  }
}

export interface CronJobRow extends BaseRow {
  schedule: string
  suspended: boolean
}

export const cronJobRow = (cronJob: Wire<V1CronJob>): CronJobRow => ({
  ...base(cronJob),
  schedule: text(cronJob.spec?.schedule),
  suspended: cronJob.spec?.suspend === true,
})
