import { reason } from '../reasons.ts'
import type { Reason } from '../protocol.ts'
import { containers, type KnownJob, serviceOf } from './manifest.ts'

interface ContainerStatus {
  name: string
  image?: string
  restartCount?: number
  state?: ContainerState
  lastState?: ContainerState
}

interface ContainerState {
  waiting?: { reason?: string; message?: string }
  running?: object
  terminated?: { reason?: string; message?: string; exitCode: number }
}

/** The fields of a pod that are read. */
export interface Pod {
  metadata: { name: string; labels?: Record<string, string>; deletionTimestamp?: string }
  spec?: { nodeName?: string }
  status?: {
    phase?: string
    reason?: string
    message?: string
    conditions?: { type: string; status: string; reason?: string; message?: string }[]
    initContainerStatuses?: ContainerStatus[]
    containerStatuses?: ContainerStatus[]
  }
}

export type PodPhase =
  /** The job's own container does not run yet; `why` if something has to change first. */
  | { is: 'waiting'; why: string }
  | { is: 'running' }
  /** The job has reported its own end. */
  | { is: 'done' }
  /** It will not report any more, or would wait for ever. */
  | { is: 'broken'; cause: Reason }

/** Retries of the kubelet do not change these. */
const unpullable = new Set(['ImagePullBackOff', 'ErrImageNeverPull', 'InvalidImageName'])
const unstartable = new Set(['CreateContainerError', 'RunContainerError', 'StartError', 'CrashLoopBackOff'])

/** The phase of a pod, in words for users who wait for its job. */
export function phaseOf(pod: Pod, job: Pick<KnownJob, 'services' | 'timeoutSeconds'>): PodPhase {
  const { phase, reason: why, message = '', conditions = [] } = pod.status ?? {}
  const beside = pod.status?.initContainerStatuses ?? []
  const main = pod.status?.containerStatuses?.find(({ name }) => name === containers.job)
  const ended = main?.state?.terminated
  if (ended?.exitCode === 0) return { is: 'done' }
  if (why === 'DeadlineExceeded')
    return broken(reason('agents-build-timed-out', { minutes: Math.ceil(job.timeoutSeconds / 60) }))
  if (why === 'Evicted') return broken(reason('agents-pod-evicted', { why: message }))
  if (pod.metadata.deletionTimestamp !== undefined)
    return broken(reason('agents-pod-deleted', { node: pod.spec?.nodeName ?? '–' }))
  if (ended || phase === 'Failed')
    return broken(
      reason('agents-pod-failed', {
        why: firstText(ended?.reason ?? why, ended?.message ?? message, `exit code ${ended?.exitCode ?? '–'}`),
      }),
    )
  for (const status of [...beside, ...(main ? [main] : [])]) {
    const cause = causeOf(status, job)
    if (cause) return broken(cause)
  }
  if (main?.state?.running) return { is: 'running' }
  const unscheduled = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False')
  return { is: 'waiting', why: unscheduled?.message ?? '' }
}

const broken = (cause: Reason): PodPhase => ({ is: 'broken', cause })

function causeOf(status: ContainerStatus, job: Pick<KnownJob, 'services'>): Reason | undefined {
  const { name, image = '', state } = status
  const { reason: why = '', message = '' } = state?.waiting ?? {}
  if (unpullable.has(why)) return reason('agents-pod-image', { image, why: firstText(message, why) })
  // Kubernetes restarts a service, which has then lost its data
  const before = state?.terminated ?? status.lastState?.terminated
  const service = serviceOf(job, name)
  if (service && before) {
    if (before.reason === 'StartError')
      return reason('agents-service-failed', {
        service: service.name,
        image,
        why: firstText(before.message, before.reason),
      })
    return reason('agents-service-ended', { service: service.name, image })
  }
  // a container for commands that was killed for its memory is restarted, and its step reports it
  const never = before?.reason === 'StartError' || before?.reason === 'ContainerCannotRun'
  if (never || (unstartable.has(why) && before?.reason !== 'OOMKilled'))
    return reason('agents-container-failed', { why: firstText(before?.message, message, why) })
  return undefined
}

const firstText = (...texts: (string | undefined)[]): string =>
  texts.find((text) => text !== undefined && text.trim() !== '')?.trim() ?? '–'

/** Kubernetes' message about a quota, without the name of the pod that was only tried; else undefined. */
export const quotaText = (message: string): string | undefined =>
  /\b((?:exceeded|failed) quota: .*)$/s.exec(message)?.[1]?.trim()
