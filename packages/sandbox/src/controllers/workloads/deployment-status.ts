import type { Condition } from '../../objects/types.ts'
import type { Deployment, ReplicaSet } from '../../objects/workloads.ts'
import { seconds } from '../../store/store.ts'
import { bounds } from './deployment-plan.ts'

type Status = Deployment['status']

/** Sets a condition; its transition time changes only with its status, its update time also with its reason or text. */
function set(conditions: Condition[], next: Condition, now: string): Condition[] {
  const old = conditions.find(({ type }) => type === next.type)
  if (old && old.status === next.status && old.reason === next.reason && old.message === next.message) return conditions
  const lastTransitionTime = old?.status === next.status ? (old.lastTransitionTime ?? now) : now
  const made: Condition = { ...next, lastUpdateTime: now, lastTransitionTime }
  return [...conditions.filter((one) => one !== old), made]
}

const total = (sets: ReplicaSet[], field: 'replicas' | 'readyReplicas' | 'availableReplicas'): number =>
  sets.reduce((sum, { status }) => sum + (status[field] ?? 0), 0)

const isComplete = ({ spec }: Deployment, counts: { updated: number; replicas: number; available: number }): boolean =>
  counts.updated === spec.replicas && counts.replicas === spec.replicas && counts.available === spec.replicas

/** The status of a deployment with these replica sets. */
export function deploymentStatus(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: ReplicaSet[],
  time: number,
): Status {
  const now = seconds(time)
  const { spec, status: before, metadata } = deployment
  const sets = current ? [current, ...old] : old
  const replicas = total(sets, 'replicas')
  const ready = total(sets, 'readyReplicas')
  const available = total(sets, 'availableReplicas')
  const updated = current?.status.replicas ?? 0
  const unavailable = Math.max(sets.reduce((sum, one) => sum + one.spec.replicas, 0) - available, 0)

  const { maxUnavailable } = bounds(deployment)
  const enough = available >= spec.replicas - maxUnavailable
  let conditions = set(
    before.conditions ?? [],
    enough
      ? {
          type: 'Available',
          status: 'True',
          reason: 'MinimumReplicasAvailable',
          message: 'Deployment has minimum availability.',
        }
      : {
          type: 'Available',
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: 'Deployment does not have minimum availability.',
        },
    now,
  )
  const failure = sets.flatMap(({ status }) => status.conditions ?? []).find(({ type }) => type === 'ReplicaFailure')
  conditions = failure
    ? set(conditions, { type: 'ReplicaFailure', status: 'True', ...pick(failure) }, now)
    : conditions.filter(({ type }) => type !== 'ReplicaFailure')
  const progress = progressing(deployment, conditions, current, { replicas, updated, available }, time)
  if (progress) conditions = set(touch(conditions, progress.moved), progress.condition, now)

  const status: Status = {
    observedGeneration: metadata.generation ?? 1,
    ...(replicas > 0 ? { replicas } : {}),
    ...(updated > 0 ? { updatedReplicas: updated } : {}),
    ...(ready > 0 ? { readyReplicas: ready } : {}),
    ...(available > 0 ? { availableReplicas: available } : {}),
    ...(unavailable > 0 ? { unavailableReplicas: unavailable } : {}),
    conditions,
  }
  return status
}

const pick = ({ reason, message }: Condition): Pick<Condition, 'reason' | 'message'> => ({
  ...(reason === undefined ? {} : { reason }),
  ...(message === undefined ? {} : { message }),
})

/** Progress restarts the deadline even if the condition's text stays the same. */
const touch = (conditions: Condition[], moved: boolean): Condition[] =>
  moved ? conditions.map((one) => (one.type === 'Progressing' ? { ...one, message: '' } : one)) : conditions

function progressing(
  deployment: Deployment,
  conditions: Condition[],
  current: ReplicaSet | undefined,
  counts: { replicas: number; updated: number; available: number },
  time: number,
): { condition: Condition; moved: boolean } | undefined {
  const { spec, status: before } = deployment
  const progress = conditions.find(({ type }) => type === 'Progressing')
  if (spec.paused)
    return {
      moved: false,
      condition: {
        type: 'Progressing',
        status: 'Unknown',
        reason: 'DeploymentPaused',
        message: 'Deployment is paused',
      },
    }
  if (!current) return undefined
  const set = `ReplicaSet "${current.metadata.name}"`
  const fresh = progress?.message?.includes(current.metadata.name) !== true
  if (isComplete(deployment, counts)) {
    const message = `${set} has successfully progressed.`
    return {
      moved: false,
      condition: { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', message },
    }
  }
  const moved =
    counts.updated > (before.updatedReplicas ?? 0) ||
    counts.available > (before.availableReplicas ?? 0) ||
    counts.replicas - counts.updated < (before.replicas ?? 0) - (before.updatedReplicas ?? 0)
  if (fresh)
    return {
      moved,
      condition: {
        type: 'Progressing',
        status: 'True',
        reason: 'NewReplicaSetCreated',
        message: `Created new replica set "${current.metadata.name}"`,
      },
    }
  // Scaling a deployment, or an unhealthy pod, does not restart the deadline of a completed rollout.
  if (progress.reason === 'NewReplicaSetAvailable' && counts.replicas === counts.updated) return undefined
  if (moved || progress.reason === 'NewReplicaSetAvailable')
    return {
      moved,
      condition: {
        type: 'Progressing',
        status: 'True',
        reason: 'ReplicaSetUpdated',
        message: `${set} is progressing.`,
      },
    }
  const since = Date.parse(progress.lastUpdateTime ?? '')
  if (time > since + (spec.progressDeadlineSeconds ?? 600) * 1000)
    return {
      moved: false,
      condition: {
        type: 'Progressing',
        status: 'False',
        reason: 'ProgressDeadlineExceeded',
        message: `${set} has timed out progressing.`,
      },
    }
  return undefined
}

/** The time until a stalled rollout must be checked again. */
export function progressWait({ spec }: Deployment, status: Status, now: number): number {
  const progress = status.conditions?.find(({ type }) => type === 'Progressing')
  const settled = ['NewReplicaSetAvailable', 'ProgressDeadlineExceeded', 'DeploymentPaused']
  if (!progress || settled.includes(progress.reason ?? '')) return Infinity
  return Date.parse(progress.lastUpdateTime ?? '') + (spec.progressDeadlineSeconds ?? 600) * 1000 + 1000 - now
}
