import { cpuCores, memoryBytes, type ServiceSpec } from './spec.ts'

const gib = 2 ** 30

/** Cores and GiB. */
export interface Demand {
  cpu: number
  memory: number
}

/** What of a specification decides how much of its stack's share it takes. */
export type Sized = Pick<ServiceSpec, 'replicas' | 'resources'>

/** Cores and GiB that a service may use at most: its limits for every instance, and for the one more of a rolling upgrade. */
export function demandOf({ replicas, resources }: Sized): Demand {
  const instances = replicas === 0 ? 0 : replicas + 1
  return { cpu: instances * cpuCores(resources.cpu), memory: (instances * memoryBytes(resources.memory)) / gib }
}

/** While either of two may run, both must fit: the larger of each figure counts. */
export const worseOf = (a: Demand, b: Demand): Demand => ({
  cpu: Math.max(a.cpu, b.cpu),
  memory: Math.max(a.memory, b.memory),
})
