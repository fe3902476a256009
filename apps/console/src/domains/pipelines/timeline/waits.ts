import type { BuildWait } from '@gantry/contract/pipelines/builds/wait'

/** Shorter waits are not shown: they are the time that a start takes. */
const leastMs = 1000

/** The duration of a wait; `now` is the end of one that still lasts. Clocks differ. */
const lengthOf = ({ from, to }: BuildWait, now: number): number =>
  Math.max(0, (to === null ? now : Date.parse(to)) - Date.parse(from))

/** The waits to show: those that still last, and those of more than a moment. */
export const visibleWaits = (waits: readonly BuildWait[]): BuildWait[] =>
  waits.filter((wait) => wait.to === null || lengthOf(wait, 0) >= leastMs)

export interface Total {
  for: BuildWait['for']
  ms: number
}

/** The total of each kind of wait, in order of their beginnings; jobs that waited in parallel count once. */
export function totalsOf(waits: readonly BuildWait[], now: number): Total[] {
  const totals = new Map<BuildWait['for'], { ms: number; until: number }>()
  for (const wait of visibleWaits(waits).toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from))) {
    const total = totals.get(wait.for) ?? { ms: 0, until: 0 }
    const from = Math.max(total.until, Date.parse(wait.from))
    const until = Math.max(from, Date.parse(wait.from) + lengthOf(wait, now))
    totals.set(wait.for, { ms: total.ms + until - from, until })
  }
  return [...totals].map(([kind, { ms }]) => ({ for: kind, ms }))
}
