import type { Series } from '@gantry/contract/monitoring/metrics'
import { cpuCores, memoryBytes } from '@gantry/contract/stacks/amounts'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'

export type Sizes = ServiceSpec['resources']

/** The usage of one pod over a period. */
export interface Usage {
  /** The 95th percentile of the measurements. */
  usual: number
  most: number
  /** Hours between the first and the last measurement. */
  hours: number
}

/** Less than a day of measurements is not representative. */
export const fewestHours = 24

/** The usage of a service's main containers; each measurement of each pod counts once. Undefined without any. */
export function usedBy(series: readonly Series[], container: string): Usage | undefined {
  const points = series
    .filter(({ metric }) => (metric['container'] ?? container) === container)
    .flatMap(({ dps }) => dps.flatMap(([at, value]) => (value === null ? [] : [{ at, value }])))
  const times = points.map(({ at }) => at).toSorted((a, b) => a - b)
  const values = points.map(({ value }) => value).toSorted((a, b) => a - b)
  const [first, last, most] = [times[0], times.at(-1), values.at(-1)]
  if (first === undefined || last === undefined || most === undefined) return undefined
  const usual = values[Math.ceil(values.length * 0.95) - 1] ?? most
  return { usual, most, hours: (last - first) / 3_600_000 }
}

const Mi = 1024 * 1024
/** Margins: requests are the usual usage plus a tenth, limits the maximum plus half. */
const room = { request: 1.1, limit: 1.5 }
const upTo = (value: number, step: number): number => Math.ceil(value / step - 1e-9) * step

const cores = (value: number): string => String(Math.round(Math.max(0.01, upTo(value, 0.01)) * 100) / 100)
const mebibytes = (value: number): string => `${Math.max(16, upTo(value / Mi, 8))}Mi`

/** Requests and limits that fit a week's usage. */
export const sizesFor = (cpu: Usage, memory: Usage): Sizes => ({
  cpuRequest: cores(cpu.usual * room.request),
  cpu: cores(Math.max(cpu.usual * room.request, cpu.most * room.limit)),
  memoryRequest: mebibytes(memory.usual * room.request),
  memory: mebibytes(Math.max(memory.usual * room.request, memory.most * room.limit)),
})

export const sizeKeys = ['cpuRequest', 'cpu', 'memoryRequest', 'memory'] as const

const amountOf = (key: keyof Sizes, text: string): number =>
  key.startsWith('cpu') ? cpuCores(text) : memoryBytes(text)

/** The amounts that differ by more than a fifth: a smaller difference is not worth new pods. */
export const misfits = (now: Sizes, wanted: Sizes): (keyof Sizes)[] =>
  sizeKeys.filter((key) => {
    const [is, will] = [amountOf(key, now[key]), amountOf(key, wanted[key])]
    return Math.abs(will - is) > 0.2 * is
  })
