import type { PodRow } from '../../../adapters/kube/rows/pod-row.ts'
import type { WorkloadRow } from '../../../adapters/kube/rows/workload-rows.ts'

export interface Reason {
  key:
    | 'stacks-image-missing'
    | 'stacks-image-refused'
    | 'stacks-crashes'
    | 'stacks-config-error'
    | 'stacks-cannot-start'
    | 'stacks-not-ready-in-time'
    | 'stacks-unschedulable'
  vars: Record<string, string | number>
}

export interface Seen {
  /** `ready`: all of it runs; `hopeless`: it will not recover by itself. */
  outcome: 'ready' | 'waiting' | 'hopeless'
  reason: Reason | null
  /** The image digest of the newest pods. */
  digest: string | undefined
}

/** Crashes after which an upgrade counts as failed: a first start may precede its database. */
const crashesTolerated = 3

const imageProblems = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'])
const configProblems = new Set(['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'])

const looksMissing = (message: string): boolean =>
  /not found|manifest unknown|does not exist|repository .* not/i.test(message)

/**
 * The state of a deployment and the pods of its newest revision. `newest` are the pods with the wanted revision; a
 * reason is reported as soon as it is seen, but only one that does not resolve itself is hopeless.
 */
export function observe(deployment: WorkloadRow, newest: PodRow[]): Seen {
  const digest = newest
    .flatMap((pod) => pod.containers)
    .find((container) => container.role === 'main' && container.ready && container.digest)?.digest
  if (deployment.rollout === 'complete') return { outcome: 'ready', reason: null, digest }
  const reason = problemOf(newest) ?? refusal(deployment)
  const gaveUp = deployment.rollout === 'failed'
  if (reason) {
    const { key, vars } = reason
    const hopeless =
      key === 'stacks-image-missing' ||
      (key === 'stacks-cannot-start' && !lacksPlace(vars)) ||
      (key === 'stacks-crashes' && Number(vars['count']) >= crashesTolerated)
    return { outcome: hopeless || gaveUp ? 'hopeless' : 'waiting', reason, digest }
  }
  if (!gaveUp) return { outcome: 'waiting', reason: null, digest }
  return {
    outcome: 'hopeless',
    reason: { key: 'stacks-not-ready-in-time', vars: { reason: deployment.message ?? '' } },
    digest,
  }
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

/** In a full share, new pods wait until the old ones have gone, which count until they end. */
const lacksPlace = (vars: Reason['vars']): boolean => /exceeded quota/i.test(String(vars['reason']))

/** The controller cannot create pods at all: a quota, a policy. */
const refusal = ({ message }: WorkloadRow): Reason | undefined =>
  message && /forbidden|exceeded quota|violates/i.test(message)
    ? { key: 'stacks-cannot-start', vars: { reason: message } }
    : undefined
