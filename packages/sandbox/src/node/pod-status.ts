import type { Condition, ContainerStatus, Pod, PodStatus } from '../objects/types.ts'
import { mayRestart } from './container-step.ts'

/** Sets a condition; its transition time changes only with its status. */
export function withCondition(conditions: Condition[], next: Condition, now: string): Condition[] {
  const old = conditions.find((one) => one.type === next.type)
  const lastTransitionTime = old?.status === next.status ? (old.lastTransitionTime ?? now) : now
  const set: Condition = { lastProbeTime: null, ...next, lastTransitionTime }
  return old ? conditions.map((one) => (one === old ? set : one)) : [...conditions, set]
}

const list = (statuses: ContainerStatus[]): string => `[${statuses.map(({ name }) => name).join(' ')}]`

function phaseOf(pod: Pod, init: ContainerStatus[], main: ContainerStatus[]): PodStatus['phase'] {
  const failedInit = init.some((status) => {
    const container = pod.spec.initContainers?.find(({ name }) => name === status.name)
    const { terminated } = status.state
    return container && terminated && terminated.exitCode !== 0 && !mayRestart(pod, container, terminated.exitCode)
  })
  if (failedInit) return 'Failed'
  if (main.some(({ state, lastState }) => !state.running && !state.terminated && !lastState.terminated))
    return 'Pending'
  const final = main.every(({ name, state }) => {
    const container = pod.spec.containers.find((one) => one.name === name)
    return container && state.terminated && !mayRestart(pod, container, state.terminated.exitCode)
  })
  if (!final) return 'Running'
  return main.every(({ state }) => state.terminated?.exitCode === 0) ? 'Succeeded' : 'Failed'
}

/** The pod's phase and conditions, derived from its containers' states. */
export function summarized(
  pod: Pod,
  status: PodStatus,
  init: ContainerStatus[],
  main: ContainerStatus[],
  now: string,
): PodStatus {
  const phase = phaseOf(pod, init, main)
  const waitingInit = init.filter(({ state, started, name }) => {
    const sidecar = pod.spec.initContainers?.find((one) => one.name === name)?.restartPolicy === 'Always'
    return sidecar ? !started : state.terminated?.exitCode !== 0
  })
  const unready = main.filter(({ ready }) => !ready)
  const ready: Condition =
    phase === 'Succeeded'
      ? { type: 'Ready', status: 'False', reason: 'PodCompleted' }
      : phase === 'Failed'
        ? { type: 'Ready', status: 'False', reason: 'PodFailed' }
        : unready.length > 0
          ? {
              type: 'Ready',
              status: 'False',
              reason: 'ContainersNotReady',
              message: `containers with unready status: ${list(unready)}`,
            }
          : { type: 'Ready', status: 'True' }
  const initialized: Condition =
    waitingInit.length > 0 && phase !== 'Succeeded'
      ? {
          type: 'Initialized',
          status: 'False',
          reason: 'ContainersNotInitialized',
          message: `containers with incomplete status: ${list(waitingInit)}`,
        }
      : { type: 'Initialized', status: 'True', ...(phase === 'Succeeded' ? { reason: 'PodCompleted' } : {}) }
  const running: Condition = {
    type: 'PodReadyToStartContainers',
    status: phase === 'Succeeded' || phase === 'Failed' ? 'False' : 'True',
  }
  let conditions = status.conditions ?? []
  for (const next of [running, initialized, ready, { ...ready, type: 'ContainersReady' }])
    conditions = withCondition(conditions, next, now)
  return {
    ...status,
    phase,
    conditions,
    containerStatuses: main,
    ...(init.length > 0 ? { initContainerStatuses: init } : {}),
  }
}
