import { cpuCores, memoryBytes, type ServiceSpec } from './spec.ts'

const gib = 2 ** 30

/** Cores and GiB. */
export interface Demand {
  cpu: number
  memory: number
}

/** The parts of a specification that determine its use of the stack's share. */
export type Sized = Pick<ServiceSpec, 'replicas' | 'resources'>

/**
 * The most that a service may use, in cores and GiB: its limits for every instance, plus one more for a rolling
 * upgrade.
 */
export function demandOf({ replicas, resources }: Sized): Demand {
  const instances = replicas === 0 ? 0 : replicas + 1
  return { cpu: instances * cpuCores(resources.cpu), memory: (instances * memoryBytes(resources.memory)) / gib }
}

/** While either of two may run, both must fit: the larger of each figure counts. */
export const worseOf = (a: Demand, b: Demand): Demand => ({
  cpu: Math.max(a.cpu, b.cpu),
  memory: Math.max(a.memory, b.memory),
})
