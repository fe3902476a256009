import { bytes, milliCores, pieces } from '../../../adapters/kube/rows/quantity.ts'

/** By resource, in Kubernetes' notation: `{cpu: '3900m', memory: '7Gi', pods: '110'}`. */
export type Quantities = Record<string, string> | undefined

/** In cores, GiB and pods. */
export interface Capacity {
  cpu: number
  memory: number
  pods: number
}

/** In percent; null if it is not measured. */
export interface Usage {
  cpu: number | null
  memory: number | null
}

export const unmeasured: Usage = { cpu: null, memory: null }

const gib = 2 ** 30
const rounded = (value: number): number => Math.round(value * 100) / 100

const sum = (all: readonly Quantities[]): { cpu: number; memory: number; pods: number } => ({
  cpu: all.reduce((total, one) => total + milliCores(one?.['cpu']), 0) / 1000,
  memory: all.reduce((total, one) => total + bytes(one?.['memory']), 0) / gib,
  pods: all.reduce((total, one) => total + pieces(one?.['pods']), 0),
})

/** The sum of the nodes' allocatable resources. */
export function capacityOf(allocatable: readonly Quantities[]): Capacity {
  const { cpu, memory, pods } = sum(allocatable)
  return { cpu: rounded(cpu), memory: rounded(memory), pods }
}

/** Reported usage as a share of the nodes' capacity, at most all of it. */
export function usageOf(used: readonly { usage?: Record<string, string> }[], of: Capacity | null): Usage {
  if (!of || used.length === 0) return unmeasured
  const { cpu, memory } = sum(used.map(({ usage }) => usage))
  const percent = (value: number, total: number) =>
    total > 0 ? Math.min(100, Math.round((value / total) * 1000) / 10) : null
  return { cpu: percent(cpu, of.cpu), memory: percent(memory, of.memory) }
}
