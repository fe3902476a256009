import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node'
import { base, count, intern, list, optionalCount, optionalText, short, text } from '../parse-object.ts'
import type { BaseRow } from '../parse-object.ts'
import type { Wire } from '../objects.ts'
import { podRequests } from './pod-requests.ts'

type Pod = Wire<V1Pod>
type ContainerStatus = Wire<V1ContainerStatus>

export interface ContainerRow {
  name: string
  /** As the pod's spec names it. */
  image: string
  /** `sha256:…` of the running image; undefined until it is pulled. */
  digest: string | undefined
  /** The runtime's id, without its scheme; undefined until it is created. */
  id: string | undefined
  /** `sidecar`: an init container that keeps running; `debug`: an ephemeral one. */
  role: 'main' | 'init' | 'sidecar' | 'debug'
  state: 'waiting' | 'running' | 'terminated'
  /** Why it waits or has ended: `ImagePullBackOff`, `OOMKilled` … */
  reason: string | undefined
  message: string | undefined
  exitCode: number | undefined
  /** RFC 3339. */
  started: string | undefined
  ready: boolean
  restarts: number
}

export interface PodRow extends BaseRow {
  /** One word, exactly as in `kubectl get pods`: Running, Pending, CrashLoopBackOff, Init:0/1, Terminating … */
  status: string
  phase: string
  /** The number of ready containers, out of `total`. */
  ready: number
  total: number
  restarts: number
  /** Whether it receives traffic. */
  serving: boolean
  node: string
  ip: string
  /** Requests by the scheduler's rules: thousandths of a core, bytes. */
  cpu: number
  memory: number
  started: string | undefined
  /** Why the pod does not run: the reason why it is unschedulable or was evicted. */
  message: string | undefined
  containers: ContainerRow[]
  /** The claims of its volumes, in its namespace; pods without any share one empty list. */
  claims: readonly string[]
}

const digestIn = (imageId: unknown): string | undefined => /sha256:[0-9a-f]{64}/.exec(text(imageId))?.[0]

const idIn = (containerId: unknown): string | undefined => text(containerId).replace(/^[\w-]+:\/\//, '') || undefined

const isTrue = (pod: Pod, type: string) =>
  list(pod.status?.conditions).some((condition) => condition.type === type && condition.status === 'True')

const endOf = ({ reason, signal, exitCode }: { reason?: string; signal?: number; exitCode: number }): string =>
  text(reason) || (count(signal) ? `Signal:${count(signal)}` : `ExitCode:${count(exitCode)}`)

type Columns = Pick<PodRow, 'status' | 'ready' | 'total' | 'restarts'>

/** The init containers' part of STATUS, up to the first that is not done. */
function initialising(pod: Pod, columns: Columns): { waits: boolean; sidecarRestarts: number } {
  const specs = list(pod.spec?.initContainers)
  const sidecars = new Set(specs.filter((spec) => spec.restartPolicy === 'Always').map((spec) => spec.name))
  columns.total += sidecars.size
  let sidecarRestarts = 0
  for (const [index, container] of list(pod.status?.initContainerStatuses).entries()) {
    const { terminated, waiting } = container.state ?? {}
    columns.restarts += count(container.restartCount)
    if (sidecars.has(container.name)) sidecarRestarts += count(container.restartCount)
    if (terminated?.exitCode === 0) continue
    if (sidecars.has(container.name) && container.started) {
      if (container.ready) columns.ready += 1
      continue
    }
    if (terminated) columns.status = `Init:${endOf(terminated)}`
    else if (text(waiting?.reason) && waiting?.reason !== 'PodInitializing')
      columns.status = `Init:${text(waiting?.reason)}`
    else columns.status = `Init:${index}/${specs.length}`
    return { waits: true, sidecarRestarts }
  }
  return { waits: false, sidecarRestarts }
}

/** kubectl's STATUS, READY and RESTARTS of a pod, by the rules of its printer. */
export function podStatus(pod: Pod): Columns {
  const { status, spec, metadata } = pod
  const columns: Columns = {
    status: text(status?.reason) || text(status?.phase) || 'Unknown',
    ready: 0,
    total: list(spec?.containers).length,
    restarts: 0,
  }
  if (list(status?.conditions).some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated'))
    columns.status = 'SchedulingGated'

  const { waits, sidecarRestarts } = initialising(pod, columns)
  if (!waits || isTrue(pod, 'Initialized')) {
    columns.restarts = sidecarRestarts
    let running = false
    for (const container of list(status?.containerStatuses).toReversed()) {
      const { waiting, terminated } = container.state ?? {}
      columns.restarts += count(container.restartCount)
      const why = text(waiting?.reason)
      if (why) columns.status = why
      else if (terminated) columns.status = endOf(terminated)
      else if (container.ready && container.state?.running) {
        running = true
        columns.ready += 1
      }
    }
    if (columns.status === 'Completed' && running) columns.status = isTrue(pod, 'Ready') ? 'Running' : 'NotReady'
  }

  if (metadata?.deletionTimestamp) {
    if (status?.reason === 'NodeLost') columns.status = 'Unknown'
    else if (status?.phase !== 'Succeeded' && status?.phase !== 'Failed') columns.status = 'Terminating'
  }
  return columns
}

function containerRow(
  { name, image }: { name: string; image?: string },
  role: ContainerRow['role'],
  status: ContainerStatus | undefined,
): ContainerRow {
  const { running, terminated, waiting } = status?.state ?? {}
  const digest = digestIn(status?.imageID)
  return {
    name: intern(name),
    image: intern(image ?? status?.image),
    digest: digest === undefined ? undefined : intern(digest),
    id: idIn(status?.containerID),
    role,
    state: running ? 'running' : terminated ? 'terminated' : 'waiting',
    reason: terminated ? endOf(terminated) : optionalText(waiting?.reason),
    message: short(terminated?.message ?? waiting?.message),
    exitCode: optionalCount(terminated?.exitCode),
    started: optionalText(running?.startedAt ?? terminated?.startedAt),
    ready: status?.ready === true,
    restarts: count(status?.restartCount),
  }
}

function containersOf({ spec, status }: Pod): ContainerRow[] {
  const statuses = new Map(
    [
      ...list(status?.initContainerStatuses),
      ...list(status?.containerStatuses),
      ...list(status?.ephemeralContainerStatuses),
    ].map((one) => [one.name, one]),
  )
  return [
    ...list(spec?.initContainers).map((one) =>
      containerRow(one, one.restartPolicy === 'Always' ? 'sidecar' : 'init', statuses.get(one.name)),
    ),
    ...list(spec?.containers).map((one) => containerRow(one, 'main', statuses.get(one.name))),
    ...list(spec?.ephemeralContainers).map((one) => containerRow(one, 'debug', statuses.get(one.name))),
  ]
}

const none: readonly string[] = []

/** Claims by name, including those that the cluster creates for the pod alone. */
function claimsOf({ metadata, spec }: Pod): readonly string[] {
  const claims = list(spec?.volumes).flatMap(({ name, persistentVolumeClaim, ephemeral }) =>
    persistentVolumeClaim
      ? [intern(persistentVolumeClaim.claimName)]
      : ephemeral
        ? [`${text(metadata?.name)}-${text(name)}`]
        : [],
  )
  return claims.length === 0 ? none : claims
}

export function podRow(pod: Pod): PodRow {
  const { status, spec } = pod
  const unscheduled = list(status?.conditions).find(({ type, status }) => type === 'PodScheduled' && status === 'False')
  return {
    ...base(pod),
    ...podStatus(pod),
    phase: intern(status?.phase) || 'Unknown',
    serving: isTrue(pod, 'Ready'),
    node: intern(spec?.nodeName),
    ip: text(status?.podIP),
    ...podRequests(pod),
    started: optionalText(status?.startTime),
    message: short(status?.message ?? unscheduled?.message),
    containers: containersOf(pod),
    claims: claimsOf(pod),
  }
}
