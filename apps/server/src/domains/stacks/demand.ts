import { cpuCores, memoryBytes, type ServiceSpec } from '@gantry/contract/stacks/spec'

const gib = 2 ** 30

/** Cores and GiB that a service may use at most: its limits for every instance, and for the one more of a rolling upgrade. */
export function demandOf({ replicas, resources }: Pick<ServiceSpec, 'replicas' | 'resources'>): {
  cpu: number
  memory: number
} {
  const instances = replicas === 0 ? 0 : replicas + 1
  return { cpu: instances * cpuCores(resources.cpu), memory: (instances * memoryBytes(resources.memory)) / gib }
}

export const sumOf = (specs: Pick<ServiceSpec, 'replicas' | 'resources'>[]): { cpu: number; memory: number } => {
  const total = { cpu: 0, memory: 0 }
  for (const spec of specs) {
    const { cpu, memory } = demandOf(spec)
    total.cpu += cpu
    total.memory += memory
  }
  return total
}

/** While an upgrade can still be undone, both specifications must fit: the larger of each figure counts. */
export const worseOf = (
  a: { cpu: number; memory: number },
  b: { cpu: number; memory: number },
): { cpu: number; memory: number } => ({
  cpu: Math.max(a.cpu, b.cpu),
  memory: Math.max(a.memory, b.memory),
})
