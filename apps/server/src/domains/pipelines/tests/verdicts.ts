/** One test case in one build; skipped ones are left out. */
export interface Run {
  number: number
  /** Empty where the build had none. */
  commit: string
  failed: boolean
}

export interface Verdict {
  newlyFailing: boolean
  flaky: boolean
}

/** What the runs of a test case, newest first, say about it in the build `number`. */
export function verdictOf(runs: readonly Run[], number: number): Verdict {
  const [latest, before] = runs
  const ways = Map.groupBy(
    runs.filter(({ commit }) => commit !== ''),
    ({ commit }) => commit,
  )
  return {
    newlyFailing: latest?.number === number && latest.failed && before?.failed === false,
    flaky: [...ways.values()].some((some) => new Set(some.map(({ failed }) => failed)).size > 1),
  }
}
