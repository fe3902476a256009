import type { BuildState, JobState } from '@gantry/contract/pipelines/states'

/** A job as the course of its build needs it. */
export interface CourseJob {
  index: number
  state: JobState
  /** It clones the repository: where nobody knows the commit yet, the first of several decides it. */
  checksOut: boolean
  /** Whether its conditions hold while everything before it succeeded, and after something failed. */
  runs: { afterSuccess: boolean; afterFailure: boolean }
}

/** What runs at once: the one job of consecutive stages with steps, or the jobs of a stage. */
export interface JobGroup {
  /** Null: nobody has to let it pass. `closed`: it was rejected, or nobody decided in time. */
  gate: 'closed' | 'open' | 'waiting' | null
  jobs: CourseJob[]
}

export interface BuildProgress {
  /** An agent has taken one of its jobs since it was triggered or retried: see the lanes. */
  hasTurn: boolean
  cancelled: boolean
  commitKnown: boolean
  legs: JobGroup[]
}

export interface Next {
  state: BuildState
  /** The jobs that agents may take from now on, by their index. */
  queue: number[]
  /** The jobs that will not run. */
  skip: number[]
  /** The leg that waits for a person; null where none does. */
  waits: number | null
}

const pending = (jobs: CourseJob[]) => jobs.filter(({ state }) => state === 'pending')
const indices = (jobs: CourseJob[]) => jobs.map(({ index }) => index)
const has = (jobs: CourseJob[], ...states: JobState[]) => jobs.some(({ state }) => states.includes(state))

/**
 * What comes next of a build: legs run one after another, the jobs of a leg at once. Everything that changes a build
 * (a job's end, a decision, a stop, a lost lease, a retry) changes the states of its jobs and asks here.
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

/** Two checkouts at once might find two commits: while the first one is under way, other jobs with one wait. */
function oneCheckout(willing: CourseJob[], running: CourseJob[]): CourseJob[] {
  const first = running.some(({ checksOut }) => checksOut) ? undefined : willing.find(({ checksOut }) => checksOut)
  return willing.filter((job) => !job.checksOut || job === first)
}
