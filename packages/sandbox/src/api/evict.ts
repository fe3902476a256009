import type { Cluster } from '../cluster.ts'
import { isActive, isReady } from '../controllers/pods.ts'
import { withCondition } from '../node/pod-status.ts'
import { labelSelector } from '../objects/selectors.ts'
import type { Pod } from '../objects/types.ts'
import { ApiError, badRequest, type Status } from '../objects/status.ts'
import { isRecord } from '../objects/record.ts'
import { seconds } from '../store/store.ts'
import type { ResourceCall } from './call.ts'
import { send } from './call.ts'
import { checkPreconditions, deleteObject, deleteOptions } from './delete.ts'
import { isDryRun } from './request.ts'
import { readObject } from './resources.ts'
import { mustFind } from './write.ts'

/** Uses one disruption of the pod's budget, or refuses if none is left. */
function spend(cluster: Cluster, pod: Pod, dryRun: boolean): void {
  if (!isActive(pod) || pod.status.phase === 'Pending') return
  const { store } = cluster
  const [budget, more] = store
    .list('poddisruptionbudgets.policy', pod.metadata.namespace)
    .filter(({ spec }) => labelSelector(spec.selector ?? undefined)(pod.metadata.labels))
  if (!budget) return
  if (more)
    throw new ApiError(
      500,
      'InternalError',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    )
  const { spec, status, metadata } = budget
  const { desiredHealthy, currentHealthy, disruptionsAllowed } = status
  if (!isReady(pod) && spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return
  // An unready pod may be evicted as long as enough others are healthy.
  if (!isReady(pod) && currentHealthy >= desiredHealthy && desiredHealthy > 0) return
  const known = status.observedGeneration === metadata.generation
  if (disruptionsAllowed <= 0 || !known) {
    const message = known
      ? `The disruption budget ${metadata.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
      : `The disruption budget ${metadata.name} is still being processed by the server.`
    throw new ApiError(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
      causes: [{ reason: 'DisruptionBudget', message }],
      ...(known ? {} : { retryAfterSeconds: 10 }),
    })
  }
  const left = { ...status, disruptionsAllowed: disruptionsAllowed - 1 }
  if (!dryRun) store.put('poddisruptionbudgets.policy', { ...budget, status: left })
}

/** Records the reason of the eviction in the pod. */
function mark(cluster: Cluster, pod: Pod): void {
  if (!isActive(pod)) return
  const why = { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' } as const
  const condition = { ...why, message: 'Eviction API: evicting' }
  const conditions = withCondition(pod.status.conditions ?? [], condition, seconds(cluster.now()))
  cluster.store.put('pods', { ...pod, status: { ...pod.status, conditions } })
}

/** `POST …/pods/{name}/eviction`. */
export async function serveEviction({ cluster, target, query, request, response }: ResourceCall): Promise<void> {
  const body = await readObject(request)
  if (!isRecord(body) || body['kind'] !== 'Eviction')
    throw badRequest('the object provided is unrecognized (must be of type Eviction)')
  const name = target.name ?? ''
  const pod = mustFind(cluster, target.kind, target.namespace, name) as Pod
  const dryRun = isDryRun(query)
  const options = deleteOptions(body['deleteOptions'], query, dryRun)
  checkPreconditions(target.kind, pod, options.preconditions)
  spend(cluster, pod, dryRun)
  if (!dryRun) mark(cluster, pod)
  // Recording the reason has given the pod another version.
  const { resourceVersion: _, ...preconditions } = options.preconditions ?? {}
  deleteObject(cluster, target.kind, target.namespace, name, { ...options, preconditions })
  const done: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }
  send(response, 201, done)
}
