import type { PodRow } from '../../../adapters/kube/rows/pod-row.ts'
import type { JobRow, WorkloadRow } from '../../../adapters/kube/rows/workload-rows.ts'

export interface Reason {
  key:
    | 'stacks-image-missing'
    | 'stacks-image-refused'
    | 'stacks-crashes'
    | 'stacks-config-error'
    | 'stacks-cannot-start'
    | 'stacks-not-ready-in-time'
    | 'stacks-unschedulable'
    | 'stacks-job-failed'
    | 'outward-refused'
    | 'outward-not-taken'
    | 'access-address-missing'
  vars: Record<string, string | number>
}

export interface Seen {
  /** `ready`: all of it runs; `hopeless`: it will not recover by itself. */
  outcome: 'ready' | 'waiting' | 'hopeless'
  reason: Reason | null
  /** The image digest of the newest pods. */
  digest: string | undefined
  /** Its addresses from outside the cluster, for services that open ways in. */
  addresses?: string[]
}

/** An upgrade fails at so many crashes; a first start may precede its database. */
const crashesTolerated = 3

const imageProblems = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'])
const configProblems = new Set(['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'])

const looksMissing = (message: string): boolean =>
  /not found|manifest unknown|does not exist|repository .* not/i.test(message)

/** The digest of the main container, once one has run. */
const digestOf = (pods: PodRow[]): string | undefined =>
  pods
    .flatMap((pod) => pod.containers)
    .find(({ role, ready, state, digest }) => role === 'main' && (ready || state === 'terminated') && digest)?.digest

/** Whether the problem that keeps pods from running will not resolve itself. */
const isFinal = ({ key, vars }: Reason): boolean =>
  key === 'stacks-image-missing' ||
  (key === 'stacks-cannot-start' && !lacksPlace(vars)) ||
  (key === 'stacks-crashes' && Number(vars['count']) >= crashesTolerated)

/**
 * The state of a deployment and the pods of its newest revision. `newest` are the pods with the wanted revision; a
 * reason is reported as soon as it is seen, but only one that does not resolve itself is hopeless.
 */
export function observe(deployment: WorkloadRow, newest: PodRow[]): Seen {
  const digest = digestOf(newest)
  if (deployment.rollout === 'complete') return { outcome: 'ready', reason: null, digest }
  const reason = problemOf(newest) ?? refusal(deployment)
  const gaveUp = deployment.rollout === 'failed'
  if (reason) {
    return { outcome: isFinal(reason) || gaveUp ? 'hopeless' : 'waiting', reason, digest }
  }
  if (!gaveUp) return { outcome: 'waiting', reason: null, digest }
  return {
    outcome: 'hopeless',
    reason: { key: 'stacks-not-ready-in-time', vars: { reason: deployment.message ?? '' } },
    digest,
  }
}

/** How many seconds a rollout may take, in addition to its checks, before Kubernetes gives it up. */
export const usualDeadlineSeconds = 180

/**
 * Like `observe`, for workloads that Kubernetes itself never gives up: pods are replaced one after another, and each
 * has that time.
 */
export function observeInTime(workload: WorkloadRow, newest: PodRow[], since: string, patience: number): Seen {
  const allowed = (usualDeadlineSeconds + patience) * Math.max(1, workload.replicas)
  const late = Date.now() - Date.parse(since) > allowed * 1000
  return observe(late && workload.rollout !== 'complete' ? { ...workload, rollout: 'failed' } : workload, newest)
}

/** The state of a Job, which is ready once it has ended. */
export function observeJob(job: JobRow, pods: PodRow[]): Seen {
  const digest = digestOf(pods)
  if (job.state === 'complete') return { outcome: 'ready', reason: null, digest }
  if (job.state === 'failed') {
    const reason = { key: 'stacks-job-failed', vars: { reason: job.message ?? '' } } as const
    return { outcome: 'hopeless', reason, digest }
  }
  const reason = problemOf(pods) ?? null
  return { outcome: reason && isFinal(reason) ? 'hopeless' : 'waiting', reason, digest }
}

/** Why pods do not run: the reason of the first one that has a problem. */
export function problemOf(pods: PodRow[]): Reason | undefined {
  for (const pod of pods) {
    for (const container of pod.containers) {
      const { reason = '', message = '', restarts, image } = container
      if (imageProblems.has(reason)) {
        const missing = reason === 'InvalidImageName' || looksMissing(message)
        return {
          key: missing ? 'stacks-image-missing' : 'stacks-image-refused',
          vars: { image, reason: message || reason },
        }
      }
      if (configProblems.has(reason)) return { key: 'stacks-config-error', vars: { reason: message || reason } }
      if (restarts > 0 && !container.ready)
        return { key: 'stacks-crashes', vars: { count: restarts, code: container.exitCode ?? '?', pod: pod.name } }
    }
    if (pod.phase === 'Pending' && pod.message) return { key: 'stacks-unschedulable', vars: { reason: pod.message } }
  }
  return undefined
}

/** If the share is used up, new pods wait until the old ones have ended, which count until then. */
const lacksPlace = (vars: Reason['vars']): boolean => /exceeded quota/i.test(String(vars['reason']))

/** The controller cannot create pods at all, because of a quota or a policy. */
const refusal = ({ message }: WorkloadRow): Reason | undefined =>
  message && /forbidden|exceeded quota|violates/i.test(message)
    ? { key: 'stacks-cannot-start', vars: { reason: message } }
    : undefined
