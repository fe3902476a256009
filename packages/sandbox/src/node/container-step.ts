import type { Cluster, PulledImage } from '../cluster.ts'
import type { Container, ContainerStatus, Pod } from '../objects/types.ts'
import { seconds } from '../store/store.ts'
import { containerId, credentialsOf, environment, startOf } from './instance.ts'
import type { Programs } from './programs.ts'
import { run } from './shell.ts'

/** A node's memory of a pod's containers between two steps; empty after a restart. */
export interface Memory {
  /** When an image that is being pulled will have arrived. */
  pulling: Map<string, number>
  /** Consecutive failed pulls, when the last one was, and when to retry. */
  failed: Map<string, { times: number; since: number; at: number }>
  stopAt: number | undefined
}

export interface Step {
  cluster: Cluster
  programs: Programs
  pod: Pod
  memory: Memory
  /** The images that the node has pulled, as they were then. */
  pulled: Map<string, PulledImage>
  event(type: 'Normal' | 'Warning', reason: string, message: string, container?: string): void
  later(ms: number): void
}

const pullTime = 120
/** Milliseconds for which a failed pull is reported as an error, before it is reported as waiting. */
const pullErrorMs = 800
const firstRetry = 2000
const longestRetry = 60_000

export const waiting = (container: Container, reason: string): ContainerStatus => ({
  name: container.name,
  image: container.image,
  imageID: '',
  ready: false,
  started: false,
  restartCount: 0,
  lastState: {},
  state: { waiting: { reason } },
})

/** `1m4s`, Go's format of a duration in whole seconds. */
const duration = (ms: number): string => {
  const total = Math.round(ms / 1000)
  return total < 60 ? `${total}s` : `${Math.floor(total / 60)}m${total % 60}s`
}

/** The delay before start number `restarts` + 1: none at first, then doubling. Shorter than a real node's. */
const crashDelay = (restarts: number): number => (restarts === 0 ? 0 : Math.min(1000 * 2 ** (restarts - 1), 60_000))

function start(step: Step, container: Container, status: ContainerStatus): ContainerStatus {
  const { cluster, pod, memory, pulled } = step
  const { name, image } = container
  const now = cluster.now()
  const key = `${name} ${image}`
  const { imagePullPolicy } = container
  const present = imagePullPolicy === 'Never' || (pulled.has(image) && imagePullPolicy !== 'Always')
  const failure = memory.failed.get(key)
  if (failure && failure.at > now) {
    step.later(failure.at - now)
    return status
  }
  if (!present) {
    const due = memory.pulling.get(key)
    if (due === undefined) {
      memory.pulling.set(key, now + pullTime)
      if (!failure || failure.times > 0) step.event('Normal', 'Pulling', `Pulling image "${image}"`, name)
      step.later(pullTime)
      return status.state.waiting ? status : { ...status, state: { waiting: { reason: 'ContainerCreating' } } }
    }
    if (due > now) {
      step.later(due - now)
      return status
    }
    memory.pulling.delete(key)
  }
  let found = present ? pulled.get(image) : undefined
  try {
    found ??= cluster.images.pull(image, credentialsOf(cluster, pod))
  } catch (error) {
    return pullFailed(step, container, status, error instanceof Error ? error.message : String(error))
  }
  memory.failed.delete(key)
  if (present) step.event('Normal', 'Pulled', `Container image "${image}" already present on machine`, name)
  else {
    const took = `${pullTime}ms`
    const message = `Successfully pulled image "${image}" in ${took} (${took} including waiting). Image size: ${found.size} bytes.`
    step.event('Normal', 'Pulled', message, name)
    pulled.set(image, found)
  }
  try {
    environment(cluster, pod, container, found)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    step.event('Warning', 'Failed', `Error: ${message}`, name)
    step.later(2000)
    return { ...status, imageID: found.id, state: { waiting: { reason: 'CreateContainerConfigError', message } } }
  }
  const restarts =
    status.state.terminated || status.lastState.terminated ? status.restartCount + 1 : status.restartCount
  step.event('Normal', 'Created', `Created container: ${name}`, name)
  step.event('Normal', 'Started', `Started container ${name}`, name)
  return {
    ...status,
    image,
    imageID: found.id,
    containerID: containerId(pod, name, restarts, now),
    restartCount: restarts,
    lastState: status.state.terminated ? { terminated: status.state.terminated } : status.lastState,
    state: { running: { startedAt: seconds(now) } },
    started: container.startupProbe === undefined,
    ready: false,
  }
}

function pullFailed(step: Step, container: Container, status: ContainerStatus, why: string): ContainerStatus {
  const { cluster, memory } = step
  const { name, image } = container
  const key = `${name} ${image}`
  const times = (memory.failed.get(key)?.times ?? 0) + 1
  const wait = Math.min(firstRetry * 2 ** (times - 1), longestRetry)
  memory.failed.set(key, { times, since: cluster.now(), at: cluster.now() + wait })
  const message = why.startsWith("couldn't parse") ? why : `rpc error: code = NotFound desc = ${why}`
  step.event('Warning', 'Failed', `Failed to pull image "${image}": ${message}`, name)
  step.event('Warning', 'Failed', 'Error: ErrImagePull', name)
  step.later(pullErrorMs)
  return { ...status, state: { waiting: { reason: 'ErrImagePull', message } } }
}

/** Between two pulls the container waits with another reason. */
function backOffPull(step: Step, container: Container, status: ContainerStatus): ContainerStatus {
  const { name, image } = container
  step.event('Normal', 'BackOff', `Back-off pulling image "${image}"`, name)
  step.event('Warning', 'Failed', 'Error: ImagePullBackOff', name)
  const last = status.state.waiting?.message ?? ''
  return {
    ...status,
    state: {
      waiting: { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}": ErrImagePull: ${last}` },
    },
  }
}

function ended(step: Step, container: Container, status: ContainerStatus): ContainerStatus {
  const { cluster, programs, pod } = step
  const instance = programs.instance(pod, container, status)
  const end = instance && programs.exitOf(instance)
  if (!instance || !end) return status
  const now = cluster.now()
  if (end.at > now) {
    step.later(end.at - now)
    return status
  }
  return {
    ...status,
    ready: false,
    started: false,
    state: {
      terminated: {
        exitCode: end.exit,
        reason: end.exit === 0 ? 'Completed' : 'Error',
        startedAt: seconds(instance.startedAt),
        finishedAt: seconds(end.at),
        containerID: status.containerID ?? '',
      },
    },
  }
}

function restart(step: Step, container: Container, status: ContainerStatus): ContainerStatus {
  const { cluster, pod } = step
  const last = status.state.terminated ?? status.lastState.terminated
  if (!last) return start(step, container, status)
  const finished = Math.max(Date.parse(last.finishedAt), startOf(last.containerID))
  const long = finished - Date.parse(last.startedAt) > 600_000
  const delay = long ? 0 : crashDelay(status.restartCount)
  const left = finished + delay - cluster.now()
  if (left <= 0) return start(step, container, status)
  step.later(left)
  if (status.state.waiting) return status
  const who = `${container.name} in pod ${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`
  step.event('Warning', 'BackOff', `Back-off restarting failed container ${who}`, container.name)
  const message = `back-off ${duration(delay)} restarting failed container=${container.name} pod=${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`
  return {
    ...status,
    lastState: { terminated: last },
    state: { waiting: { reason: 'CrashLoopBackOff', message } },
  }
}

/** Runs a probe's command in the container and answers its exit code; a command that waits counts as failed. */
function probeCommand(step: Step, container: Container, status: ContainerStatus, argv: string[]): number {
  const instance = step.programs.instance(step.pod, container, status)
  if (!instance) return 1
  const running = run(step.programs.shell(instance), argv)
  for (;;) {
    const next = running.next(null)
    if (next.done) return next.value
    if ('sleep' in next.value && next.value.sleep >= 1000) return 1
  }
}

export const unreadyAnnotation = 'sandbox.gantry.dev/unready'

/** Sets `started` and `ready` of a running container by its probes. */
function probed(step: Step, container: Container, status: ContainerStatus): ContainerStatus {
  const { cluster, pod } = step
  const age = cluster.now() - startOf(status.containerID)
  const passes = (kind: 'Startup' | 'Readiness'): boolean => {
    const probe = kind === 'Startup' ? container.startupProbe : container.readinessProbe
    if (!probe) return true
    const delay = (probe.initialDelaySeconds ?? 0) * 1000
    if (age < delay) {
      step.later(delay - age)
      return false
    }
    if (!probe.exec?.command) return true
    if (probeCommand(step, container, status, probe.exec.command) === 0) return true
    step.event('Warning', 'Unhealthy', `${kind} probe failed: `, container.name)
    step.later((probe.periodSeconds ?? 10) * 1000)
    return false
  }
  const started = status.started || passes('Startup')
  const unready = pod.metadata.annotations?.[unreadyAnnotation] === 'true'
  // A probe that passed once is not repeated: nothing here becomes unhealthy by itself.
  const ready = started && !unready && (status.ready || passes('Readiness'))
  return started === status.started && ready === status.ready ? status : { ...status, started, ready }
}

export function mayRestart(pod: Pod, container: Container, exitCode: number): boolean {
  const init = pod.spec.initContainers?.some(({ name }) => name === container.name) === true
  if (init && container.restartPolicy !== 'Always' && exitCode === 0) return false
  const policy = container.restartPolicy ?? pod.spec.restartPolicy
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0)
}

/** Advances one container by one step. */
export function stepContainer(step: Step, container: Container, before: ContainerStatus): ContainerStatus {
  const { state } = before
  if (state.running) {
    const after = ended(step, container, before)
    return after.state.terminated ? stepContainer(step, container, after) : probed(step, container, after)
  }
  if (state.terminated)
    return mayRestart(step.pod, container, state.terminated.exitCode) ? restart(step, container, before) : before
  if (state.waiting?.reason === 'CrashLoopBackOff') return restart(step, container, before)
  if (state.waiting?.reason === 'ErrImagePull') {
    const { since = 0, at = 0 } = step.memory.failed.get(`${container.name} ${container.image}`) ?? {}
    const now = step.cluster.now()
    step.later((since + pullErrorMs > now ? since + pullErrorMs : at) - now)
    if (since + pullErrorMs > now) return before
    if (at > now) return backOffPull(step, container, before)
  }
  const after = start(step, container, before)
  return after.state.running ? probed(step, container, after) : after
}
