import type { BuildWait } from '@gantry/contract/pipelines/builds/wait'

/** A wait is told from a second on: less is the time that it takes to begin. */
const leastMs = 1000

/** How long a wait has been so far; `now` is the end of one that goes on. Clocks differ. */
const lengthOf = ({ from, to }: BuildWait, now: number): number =>
  Math.max(0, (to === null ? now : Date.parse(to)) - Date.parse(from))

/** The waits that are told: those that go on, and those of more than a moment. */
export const toldOf = (waits: readonly BuildWait[]): BuildWait[] =>
  waits.filter((wait) => wait.to === null || lengthOf(wait, 0) >= leastMs)

export interface Total {
  for: BuildWait['for']
  ms: number
}

/** How long each was waited for, in the order in which that began; jobs that waited at once count once. */
export function totalsOf(waits: readonly BuildWait[], now: number): Total[] {
  const totals = new Map<BuildWait['for'], { ms: number; until: number }>()
  for (const wait of toldOf(waits).toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from))) {
    const total = totals.get(wait.for) ?? { ms: 0, until: 0 }
    const from = Math.max(total.until, Date.parse(wait.from))
    const until = Math.max(from, Date.parse(wait.from) + lengthOf(wait, now))
    totals.set(wait.for, { ms: total.ms + until - from, until })
  }
  return [...totals].map(([kind, { ms }]) => ({ for: kind, ms }))
}
