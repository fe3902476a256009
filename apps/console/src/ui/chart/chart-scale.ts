/** Epoch milliseconds and a value; null if nothing was measured. */
export type ChartPoint = readonly [at: number, value: number | null]

export interface ChartLine {
  name: string
  points: readonly ChartPoint[]
}

export interface Summary {
  least: number
  mean: number
  most: number
  last: number
}

const measured = (points: readonly ChartPoint[]): number[] => points.flatMap(([, value]) => value ?? [])

/** The summary of a line; undefined without measured values. `last` is the latest one, however old. */
export function summaryOf(points: readonly ChartPoint[]): Summary | undefined {
  const values = measured(points)
  const last = values.at(-1)
  if (last === undefined) return undefined
  const sum = values.reduce((total, value) => total + value, 0)
  return {
    least: values.reduce((a, b) => Math.min(a, b)),
    mean: sum / values.length,
    most: values.reduce((a, b) => Math.max(a, b)),
    last,
  }
}

/** Maximum marks above zero. */
const marks = 4

/**
 * A scale from zero with round marks: 1, 2 or 5 times powers of ten, or powers of two for bytes. `ceiling` is its
 * maximum.
 */
export function scaleOf(most: number, { binary = false, ceiling = Infinity } = {}): { max: number; interval: number } {
  const top = Math.min(Math.max(most, 0), ceiling)
  if (!(top > 0))
    return { max: ceiling === Infinity ? 1 : ceiling, interval: (ceiling === Infinity ? 1 : ceiling) / marks }
  const rough = top / marks
  const interval = binary && rough >= 1 ? 2 ** Math.ceil(Math.log2(rough)) : roundUp(rough)
  return { max: Math.min(Math.ceil(top / interval - 1e-9) * interval, ceiling), interval }
}

function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 5, 10].find((one) => value / power <= one + 1e-9) ?? 10
  return Number((step * power).toPrecision(3))
}

export const largestOf = (lines: readonly ChartLine[]): number =>
  lines.reduce((most, { points }) => measured(points).reduce((a, b) => Math.max(a, b), most), 0)
