import type { BuildState, JobState } from '@gantry/contract/pipelines/states'

/** A job as nextOf needs it. */
export interface CourseJob {
  index: number
  state: JobState
  /** Whether it clones the repository. If the commit is unknown, the first checkout determines it. */
  checksOut: boolean
  /** Whether its conditions hold if everything before it succeeded, and if something failed. */
  runs: { afterSuccess: boolean; afterFailure: boolean }
}

/** Jobs that run at the same time: the single job of consecutive stages with steps, or the jobs of a stage. */
export interface JobGroup {
  /** Null if it needs no decision. `closed`: it was rejected, or nobody decided in time. */
  gate: 'closed' | 'open' | 'waiting' | null
  jobs: CourseJob[]
}

export interface BuildProgress {
  /** Whether an agent has taken one of its jobs since it was triggered or retried: see lanes.store.ts. */
  hasTurn: boolean
  cancelled: boolean
  commitKnown: boolean
  legs: JobGroup[]
}

export interface Next {
  state: BuildState
  /** The indices of the jobs that agents may take from now on. */
  queue: number[]
  /** The jobs that will not run. */
  skip: number[]
  /** The index of the group that waits for a person; null if none does. */
  waits: number | null
}

const pending = (jobs: CourseJob[]) => jobs.filter(({ state }) => state === 'pending')
const indices = (jobs: CourseJob[]) => jobs.map(({ index }) => index)
const has = (jobs: CourseJob[], ...states: JobState[]) => jobs.some(({ state }) => states.includes(state))

/**
 * What a build does next: groups of jobs run one after another, the jobs of a group at once. Everything that changes a
 * build (a job's end, a decision, a stop, a lost lease, a retry) changes the states of its jobs and calls this.
 */
export function nextOf({ hasTurn, cancelled, commitKnown, legs }: BuildProgress): Next {
  const all = legs.flatMap(({ jobs }) => jobs)
  const begun = hasTurn && has(all, 'building', 'success', 'failed', 'aborted')
  const closed = legs.some(({ gate }) => gate === 'closed')
  const ended = (skip: number[]): Next => {
    const aborted =
      (cancelled && (all.length === 0 || skip.length > 0 || has(all, 'aborted', 'not_built'))) ||
      closed ||
      (has(all, 'aborted') && !has(all, 'failed'))
    const state = aborted ? 'aborted' : has(all, 'failed') ? 'failed' : 'success'
    return { state, queue: [], skip, waits: null }
  }
  if (cancelled || closed) {
    const skip = indices(all.filter(({ state }) => state === 'pending' || state === 'queued'))
    return has(all, 'building') ? { state: 'building', queue: [], skip, waits: null } : ended(skip)
  }
  const skip: number[] = []
  let failed = false
  for (const [at, { gate, jobs }] of legs.entries()) {
    const open = pending(jobs)
    const willing = open.filter(({ runs }) => (failed ? runs.afterFailure : runs.afterSuccess))
    skip.push(...indices(open.filter((job) => !willing.includes(job))))
    if (willing.length > 0 && gate === 'waiting') return { state: 'waiting', queue: [], skip, waits: at }
    const running = jobs.filter(({ state }) => state === 'queued' || state === 'building')
    const queue = commitKnown ? willing : oneCheckout(willing, running)
    if (running.length + queue.length > 0)
      return { state: begun ? 'building' : 'queued', queue: indices(queue), skip, waits: null }
    failed ||= has(jobs, 'failed', 'aborted')
  }
  return ended(skip)
}

/** Concurrent checkouts might find different commits, so jobs with a checkout wait while the first one runs. */
function oneCheckout(willing: CourseJob[], running: CourseJob[]): CourseJob[] {
  const first = running.some(({ checksOut }) => checksOut) ? undefined : willing.find(({ checksOut }) => checksOut)
  return willing.filter((job) => !job.checksOut || job === first)
}
