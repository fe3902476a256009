import type { Cluster, PulledImage } from '../cluster.ts'
import { keyOf, type Controller } from '../controllers/loop.ts'
import { record } from '../controllers/record.ts'
import type { Node } from '../objects/nodes.ts'
import type { Container, ContainerStatus, Pod, PodStatus } from '../objects/types.ts'
import { sameValue } from '../objects/record.ts'
import { seconds } from '../store/store.ts'
import { stepContainer, waiting, type Memory, type Step } from './container-step.ts'
import { isDown, isSimulated } from './hollow.ts'
import { unmountable } from './instance.ts'
import { summarized } from './pod-status.ts'
import type { Programs } from './programs.ts'

/** Milliseconds that a container takes to end once it is asked to. */
const stopTime = 150

/** The additional time that the containers' preStop hooks take. */
function preStopTime(pod: Pod): number {
  const waits = pod.spec.containers.map(({ lifecycle }) => {
    const { sleep, exec } = lifecycle?.preStop ?? {}
    if (sleep) return sleep.seconds * 1000
    const slept = /\bsleep\s+(\d+)/.exec(exec?.command?.join(' ') ?? '')
    return slept ? Number(slept[1]) * 1000 : 0
  })
  return Math.max(0, ...waits)
}

function freeAddress(cluster: Cluster, pod: Pod): string {
  const node = cluster.store.get('nodes', undefined, pod.spec.nodeName ?? '')
  const [, third = '0'] = /^10\.244\.(\d+)\./.exec(node?.spec.podCIDR ?? '') ?? []
  const used = new Set(cluster.store.list('pods').map(({ status }) => status.podIP))
  for (let n = 2; n < 255; n++) {
    const address = `10.244.${third}.${n}`
    if (!used.has(address)) return address
  }
  return `10.244.${third}.255`
}

const runs = (node: Node): boolean => isSimulated(node) && !isDown(node)

/** The kubelet of the hollow nodes: runs the containers of every pod on a node. */
export function kubelet(programs: Programs): Controller {
  const memories = new Map<string, Memory>()
  const pulledOn = new Map<string, Map<string, PulledImage>>()

  const memoryOf = (uid: string): Memory => {
    let memory = memories.get(uid)
    if (!memory) memories.set(uid, (memory = { pulling: new Map(), failed: new Map(), stopAt: undefined }))
    return memory
  }

  const stepOf = (cluster: Cluster, pod: Pod, later: (ms: number) => void): Step => {
    const host = pod.spec.nodeName ?? ''
    let pulled = pulledOn.get(host)
    if (!pulled) pulledOn.set(host, (pulled = new Map()))
    return {
      cluster,
      programs,
      pod,
      memory: memoryOf(pod.metadata.uid),
      pulled,
      later,
      event: (type, reason, message, container) =>
        record(cluster, pod, {
          type,
          reason,
          message,
          component: 'kubelet',
          host,
          ...(container === undefined ? {} : { fieldPath: `spec.containers{${container}}` }),
        }),
    }
  }

  const stop = (step: Step): void => {
    const { cluster, pod, memory } = step
    const now = cluster.now()
    if (memory.stopAt === undefined) {
      const grace = (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000
      memory.stopAt = now + Math.min(preStopTime(pod) + stopTime, grace)
      for (const { name, state } of pod.status.containerStatuses ?? [])
        if (state.running) step.event('Normal', 'Killing', `Stopping container ${name}`, name)
    }
    if (memory.stopAt > now) return step.later(memory.stopAt - now)
    if (!pod.metadata.finalizers?.length) return cluster.store.remove('pods', pod.metadata.namespace, pod.metadata.name)
    if (pod.metadata.deletionGracePeriodSeconds === 0) return
    // The pod is deleted once the owners of its finalizers have removed them.
    cluster.store.put('pods', { ...pod, metadata: { ...pod.metadata, deletionGracePeriodSeconds: 0 } })
  }

  const run = (step: Step): void => {
    const { cluster, pod } = step
    const now = cluster.now()
    let status: PodStatus = { ...pod.status, observedGeneration: pod.metadata.generation ?? 1 }
    if (status.startTime === undefined) {
      const node = cluster.store.get('nodes', undefined, pod.spec.nodeName ?? '')
      const ip = node?.status.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '10.200.0.1'
      status = { ...status, startTime: seconds(now), hostIP: ip, hostIPs: [{ ip }] }
    }
    const reason = pod.spec.initContainers?.length ? 'PodInitializing' : 'ContainerCreating'
    const statusOf = (list: ContainerStatus[] | undefined, container: Container): ContainerStatus =>
      list?.find(({ name }) => name === container.name) ?? waiting(container, reason)
    let init = (pod.spec.initContainers ?? []).map((one) => statusOf(status.initContainerStatuses, one))
    let main = pod.spec.containers.map((one) => statusOf(status.containerStatuses, one))

    const deadline = (pod.spec.activeDeadlineSeconds ?? Infinity) * 1000 + Date.parse(status.startTime ?? '')
    step.later(deadline - now)
    const missing = unmountable(cluster, pod)
    if (missing && !main.some(({ state, lastState }) => state.running ?? lastState.terminated)) {
      step.event('Warning', 'FailedMount', `MountVolume.SetUp failed for volume "${missing.volume}" : ${missing.why}`)
      step.later(2000)
    } else if (deadline > now) {
      if (status.podIP === undefined) {
        const ip = freeAddress(cluster, pod)
        status = { ...status, podIP: ip, podIPs: [{ ip }] }
      }
      const ready = { ...step, pod: { ...pod, status } }
      init = initialize(ready, init)
      const open = init.every(({ state, started }, n) =>
        pod.spec.initContainers?.[n]?.restartPolicy === 'Always' ? started : state.terminated?.exitCode === 0,
      )
      if (open) main = pod.spec.containers.map((one, n) => stepContainer(ready, one, main[n] ?? waiting(one, reason)))
    }
    const debug = (pod.spec.ephemeralContainers ?? []).map((one) => lookInto(step, status, one))
    let next = summarized(pod, status, init, main, seconds(now))
    if (debug.length > 0) next = { ...next, ephemeralContainerStatuses: debug }
    if (deadline <= now) {
      const message = 'Pod was active on the node longer than the specified deadline'
      next = { ...next, phase: 'Failed', reason: 'DeadlineExceeded', message }
    }
    if (!sameValue(next, pod.status)) cluster.store.put('pods', { ...pod, status: next })
  }

  return {
    name: 'kubelet',
    affected: ({ store }, change) => {
      if (change.resource === 'nodes') {
        const [was, is] = [change.previous as Node | undefined, change.object as Node]
        if (was && runs(was) === runs(is)) return []
        const on = store.list('pods').filter(({ spec }) => spec.nodeName === is.metadata.name)
        return on.map(keyOf)
      }
      if (change.resource !== 'pods') return []
      if (change.type === 'DELETED') memories.delete(change.object.metadata.uid)
      return [keyOf(change.object)]
    },
    reconcile(cluster, namespace, name, later) {
      const pod = cluster.store.get('pods', namespace, name)
      const node = pod?.spec.nodeName && cluster.store.get('nodes', undefined, pod.spec.nodeName)
      if (!pod || !node || !runs(node)) return
      const step = stepOf(cluster, pod, later)
      if (pod.metadata.deletionTimestamp) stop(step)
      else if (pod.status.phase === 'Pending' || pod.status.phase === 'Running') run(step)
    },
  }
}

/** An ephemeral container runs once, independent of the pod's other containers. */
function lookInto(step: Step, { ephemeralContainerStatuses = [] }: PodStatus, container: Container): ContainerStatus {
  const before = ephemeralContainerStatuses.find(({ name }) => name === container.name)
  const once: Container = { ...container, restartPolicy: 'Never' }
  // It is never probed or restarted.
  return {
    ...stepContainer(step, once, before ?? waiting(container, 'ContainerCreating')),
    ready: false,
    started: false,
  }
}

/** Init containers in order: the next begins when the one before it has ended, or runs if it is a sidecar. */
function initialize(step: Step, statuses: ContainerStatus[]): ContainerStatus[] {
  const done: ContainerStatus[] = []
  let blocked = false
  for (const [n, container] of (step.pod.spec.initContainers ?? []).entries()) {
    const before = statuses[n] ?? waiting(container, 'PodInitializing')
    const after: ContainerStatus = blocked ? before : stepContainer(step, container, before)
    const sidecar = container.restartPolicy === 'Always'
    const finished = after.state.terminated?.exitCode === 0
    // A completed init container counts as ready.
    done.push(finished && !after.ready ? { ...after, ready: true } : after)
    blocked = blocked || (sidecar ? !after.started : !finished)
  }
  return done
}
