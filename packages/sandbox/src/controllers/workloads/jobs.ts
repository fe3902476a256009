import { deleteObject } from '../../api/delete.ts'
import type { Cluster } from '../../cluster.ts'
import { kindOf } from '../../objects/kinds.ts'
import type { Condition, Pod } from '../../objects/types.ts'
import type { Job } from '../../objects/workloads.ts'
import { sameValue } from '../../objects/record.ts'
import { seconds } from '../../store/store.ts'
import { keyOf, owners, type Controller } from '../loop.ts'
import { claimed, createPod, deletePod, isActive, isReady } from '../pods.ts'
import { record } from '../record.ts'

export const ended = ({ status }: Job): Condition | undefined =>
  status.conditions?.find(({ type, status: on }) => (type === 'Complete' || type === 'Failed') && on === 'True')

interface Counts {
  active: Pod[]
  succeeded: number
  failed: number
}

/** The number of failed runs: pods, and restarts within pods that restart in place. */
function failures({ active }: Counts, failed: number, job: Job): number {
  if (job.spec.template.spec.restartPolicy !== 'OnFailure') return failed
  const restarts = active.flatMap(({ status }) => status.containerStatuses ?? [])
  return failed + restarts.reduce((sum, { restartCount }) => sum + restartCount, 0)
}

/** The outcome of a job that has ended. */
function outcome(job: Job, counts: Counts, now: number): { type: string; reason: string; message: string } | undefined {
  const { completions, backoffLimit, activeDeadlineSeconds } = job.spec
  const { active, succeeded, failed } = counts
  if (failures(counts, failed, job) > backoffLimit)
    return { type: 'Failed', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' }
  const since = Date.parse(job.status.startTime ?? '')
  if (activeDeadlineSeconds !== undefined && now >= since + activeDeadlineSeconds * 1000)
    return { type: 'Failed', reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' }
  // Without a number of completions, the job succeeds with its first success, once all pods have ended.
  const done = completions === undefined ? succeeded > 0 && active.length === 0 : succeeded >= completions
  return done
    ? { type: 'Complete', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' }
    : undefined
}

function finish(job: Job, over: NonNullable<ReturnType<typeof outcome>>, now: number): Condition[] {
  const at = seconds(now)
  const condition = (type: string): Condition => ({
    ...over,
    type,
    status: 'True',
    lastProbeTime: at,
    lastTransitionTime: at,
  })
  const first = over.type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget'
  return [...(job.status.conditions ?? []), condition(first), condition(over.type)]
}

function countPods(job: Job, pods: Pod[]): Counts {
  const own = pods.filter((pod) => pod.metadata.ownerReferences?.some(({ uid }) => uid === job.metadata.uid))
  return {
    active: own.filter(isActive),
    succeeded: own.filter(({ status }) => status.phase === 'Succeeded').length,
    failed: own.filter(({ status }) => status.phase === 'Failed').length,
  }
}

function advance(cluster: Cluster, job: Job, counts: Counts, later: (ms: number) => void): void {
  const { parallelism, completions, suspend } = job.spec
  const { active, succeeded, failed } = counts
  const open = completions === undefined ? (succeeded > 0 ? active.length : parallelism) : completions - succeeded
  const wanted = suspend ? 0 : Math.min(parallelism, open)
  for (const pod of active.slice(Math.max(wanted, 0))) deletePod(cluster, job, pod)
  const missing = wanted - active.length
  if (missing <= 0) return
  // After a failure there is a delay, as between the starts of a crashing container.
  const lastEnd = Math.max(
    0,
    ...cluster.store
      .list('pods', job.metadata.namespace)
      .filter(
        ({ status, metadata }) =>
          status.phase === 'Failed' && metadata.ownerReferences?.some(({ uid }) => uid === job.metadata.uid),
      )
      .flatMap(({ status }) => status.containerStatuses ?? [])
      .map(({ state }) => Date.parse(state.terminated?.finishedAt ?? '') || 0),
  )
  const pause = failed === 0 ? 0 : lastEnd + Math.min(1000 * 2 ** (failed - 1), 60_000) - cluster.now()
  if (pause > 0) return later(pause)
  for (let n = 0; n < missing; n++) if (createPod(cluster, job, job.spec.template) !== undefined) return later(5000)
}

export const jobs: Controller = {
  name: 'jobs',
  affected: (_, change) =>
    change.resource === 'jobs.batch' ? [keyOf(change.object)] : change.resource === 'pods' ? owners(change, 'Job') : [],
  reconcile(cluster, namespace, name, later) {
    const { store } = cluster
    const job = store.get('jobs.batch', namespace, name)
    if (!job || job.metadata.deletionTimestamp) return
    const now = cluster.now()
    const last = ended(job)
    if (last) {
      const left =
        Date.parse(last.lastTransitionTime ?? '') + (job.spec.ttlSecondsAfterFinished ?? Infinity) * 1000 - now
      if (left > 0) return later(left)
      deleteObject(cluster, kindOf('jobs.batch'), namespace, name, { propagationPolicy: 'Background' })
      return
    }
    claimed(cluster, 'pods', job, store.list('pods', namespace))
    const started: Job =
      job.status.startTime || job.spec.suspend ? job : { ...job, status: { ...job.status, startTime: seconds(now) } }
    const before = countPods(job, store.list('pods', namespace))
    const over = outcome(started, before, now)
    if (over) for (const pod of before.active) deletePod(cluster, job, pod)
    else advance(cluster, started, before, later)
    const since = Date.parse(started.status.startTime ?? '')
    if (started.spec.activeDeadlineSeconds !== undefined) later(since + started.spec.activeDeadlineSeconds * 1000 - now)

    const counts = countPods(job, store.list('pods', namespace))
    const failed = counts.failed + (over?.type === 'Failed' ? before.active.length : 0)
    const { active: _, ready: __, succeeded: ___, failed: ____, terminating: _____, ...kept } = started.status
    const status: Job['status'] = {
      ...kept,
      ...(counts.active.length > 0 && !over ? { active: counts.active.length } : {}),
      ready: over ? 0 : counts.active.filter(isReady).length,
      terminating: 0,
      ...(counts.succeeded > 0 ? { succeeded: counts.succeeded } : {}),
      ...(failed > 0 ? { failed } : {}),
      uncountedTerminatedPods: {},
      ...(over ? { conditions: finish(started, over, now) } : {}),
      ...(over?.type === 'Complete' ? { completionTime: seconds(now) } : {}),
    }
    if (sameValue(status, job.status)) return
    store.put('jobs.batch', { ...job, status })
    if (!over) return
    const complete = over.type === 'Complete'
    record(cluster, job, {
      type: complete ? 'Normal' : 'Warning',
      reason: complete ? 'Completed' : over.reason,
      message: complete ? 'Job completed' : over.message,
      component: 'job-controller',
    })
  },
}
