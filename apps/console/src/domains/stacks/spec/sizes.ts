import type { Series } from '@gantry/contract/monitoring/metrics'
import { cpuCores, memoryBytes } from '@gantry/contract/stacks/amounts'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'

export type Sizes = ServiceSpec['resources']

/** What one pod used over a time. */
export interface Usage {
  /** What it stayed below most of the time: 95 of 100 measurements. */
  usual: number
  most: number
  /** Hours between the first and the last measurement. */
  hours: number
}

/** A day shows what a day is like; less shows a moment. */
export const fewestHours = 24

/** What the main containers of a service used, each measurement of each pod counted once; undefined where there is none. */
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
/** Room above what was measured: requests are what is usual, limits the most that was seen and half as much again. */
const room = { request: 1.1, limit: 1.5 }
const upTo = (value: number, step: number): number => Math.ceil(value / step - 1e-9) * step

const cores = (value: number): string => String(Math.round(Math.max(0.01, upTo(value, 0.01)) * 100) / 100)
const mebibytes = (value: number): string => `${Math.max(16, upTo(value / Mi, 8))}Mi`

/** Requests and limits that a week's use speaks for. */
export const sizesFor = (cpu: Usage, memory: Usage): Sizes => ({
  cpuRequest: cores(cpu.usual * room.request),
  cpu: cores(Math.max(cpu.usual * room.request, cpu.most * room.limit)),
  memoryRequest: mebibytes(memory.usual * room.request),
  memory: mebibytes(Math.max(memory.usual * room.request, memory.most * room.limit)),
})

export const sizeKeys = ['cpuRequest', 'cpu', 'memoryRequest', 'memory'] as const

const amountOf = (key: keyof Sizes, text: string): number =>
  key.startsWith('cpu') ? cpuCores(text) : memoryBytes(text)

/** The amounts that differ by more than a fifth: less is not worth new pods. */
export const misfits = (now: Sizes, wanted: Sizes): (keyof Sizes)[] =>
  sizeKeys.filter((key) => {
    const [is, will] = [amountOf(key, now[key]), amountOf(key, wanted[key])]
    return Math.abs(will - is) > 0.2 * is
  })
