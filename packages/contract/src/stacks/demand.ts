import { z } from 'zod'
import { cpuCores, memoryBytes } from './amounts.ts'
import { maxInstances } from './scaling/autoscaling.ts'
import { ServiceDocument, type ServiceSpec } from './spec.ts'
import type { Rollout } from './spec-run.ts'

const gib = 2 ** 30

/** Cores and GiB. */
export interface Demand {
  cpu: number
  memory: number
}

/** The parts of a specification that determine its use of the stack's share. */
export const SizedSpec = z.object({
  ...ServiceDocument.pick({
    workload: true,
    replicas: true,
    resources: true,
    containers: true,
    volumes: true,
    rollout: true,
    autoscaling: true,
    job: true,
    schedule: true,
  }).shape,
  /** Whether there is any is all that counts: such a service runs no pods. */
  outward: z.unknown().optional(),
})
export type Sized = z.infer<typeof SizedSpec>

const limitsOf = ({ cpu, memory }: ServiceSpec['resources']): Demand => ({
  cpu: cpuCores(cpu),
  memory: memoryBytes(memory) / gib,
})

export const sum = (a: Demand, b: Demand): Demand => ({ cpu: a.cpu + b.cpu, memory: a.memory + b.memory })

/** If either of two may run, both must fit: the larger value of each figure counts. */
export const worseOf = (a: Demand, b: Demand): Demand => ({
  cpu: Math.max(a.cpu, b.cpu),
  memory: Math.max(a.memory, b.memory),
})

/** The limits of one pod, as Kubernetes counts them: those of concurrent containers added, an init container alone. */
function podDemand({ resources, containers = [] }: Sized): Demand {
  let beside: Demand = { cpu: 0, memory: 0 }
  let most = beside
  for (const { role, resources: own } of containers) {
    const with_ = sum(beside, limitsOf(own))
    most = worseOf(most, with_)
    if (role === 'side') beside = with_
  }
  return worseOf(most, sum(beside, limitsOf(resources)))
}

/** Whether a claim can be used on one host only: a second pod elsewhere would wait for it forever. */
export const holdsItsClaim = ({ volumes = [] }: Sized): boolean =>
  volumes.some((volume) => volume.type === 'claim' && volume.access === 'one')

/** How the instances of a Deployment are replaced by default: one more at a time, and never one less. */
export const rolloutOf = (spec: Sized): Rollout =>
  spec.rollout ?? (holdsItsClaim(spec) ? { type: 'recreate' } : { type: 'rolling', surge: 1, unavailable: 0 })

/** A share of the instances as a number, rounded up as Kubernetes rounds a surge. */
const shareOf = (share: number | string, replicas: number): number =>
  typeof share === 'number' ? share : Math.ceil((Number.parseInt(share, 10) * replicas) / 100)

/** The most pods at a time, including those of an upgrade. */
export function mostPods(spec: Sized): number {
  if (spec.outward) return 0
  const { workload = 'deployment', job, schedule } = spec
  const replicas = maxInstances(spec)
  switch (workload) {
    case 'deployment': {
      const rollout = rolloutOf(spec)
      return replicas === 0 || rollout.type !== 'rolling' ? replicas : replicas + shareOf(rollout.surge, replicas)
    }
    case 'statefulset':
    case 'daemonset':
      return replicas
    case 'job':
      return job?.parallelism ?? 1
    case 'cronjob':
      // pods that are being ended, and those that replace them
      return (job?.parallelism ?? 1) * (schedule?.overlap === 'replace' ? 2 : 1)
  }
}

/** The most that a service may use, in cores and GiB: the limits of all its pods that may run at once. */
export function demandOf(spec: Sized): Demand {
  const pods = mostPods(spec)
  const { cpu, memory } = podDemand(spec)
  return { cpu: pods * cpu, memory: pods * memory }
}
