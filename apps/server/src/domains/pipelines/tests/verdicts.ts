/** A run of a test case in a build; skipped runs are left out. */
export interface Run {
  number: number
  /** Empty if the build had none. */
  commit: string
  failed: boolean
}

export interface Verdict {
  newlyFailing: boolean
  flaky: boolean
}

/** The verdict on a test case in build `number`, from its runs, newest first. */
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
