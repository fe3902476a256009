import { BuildState, type StepState } from '@gantry/contract/pipelines/states'

/**
 * The transitions of a build: one of its jobs is claimed, or is queued again after its lease expired; somebody has to
 * decide; all jobs have ended, possibly before any ran. Only a retry reopens an ended build.
 */
const builds: Record<BuildState, readonly BuildState[]> = {
  queued: ['building', 'waiting', 'success', 'failed', 'aborted'],
  building: ['queued', 'waiting', 'success', 'failed', 'aborted'],
  waiting: ['queued', 'building', 'success', 'failed', 'aborted'],
  success: [],
  failed: [],
  aborted: [],
}

/** The states from which a build may become `to`; every statement that writes a state checks for one of them. */
export const buildStatesBefore = (to: BuildState): BuildState[] =>
  BuildState.options.filter((from) => builds[from].includes(to))

const steps: Record<StepState, readonly StepState[]> = {
  pending: ['building', 'not_built', 'aborted', 'failed'],
  building: ['success', 'failed', 'aborted'],
  success: [],
  failed: [],
  aborted: [],
  not_built: [],
}

export const stepMayBecome = (from: StepState, to: StepState): boolean => steps[from].includes(to)

/**
 * A stage's state from its steps: the worst of the ended ones; `building` while one runs, or waits after an ended one.
 */
export function stageState(states: StepState[]): StepState {
  const has = (state: StepState) => states.includes(state)
  if (has('building')) return 'building'
  if (has('failed')) return has('pending') ? 'building' : 'failed'
  if (has('aborted')) return 'aborted'
  if (has('pending')) return has('success') ? 'building' : 'pending'
  return has('success') ? 'success' : 'not_built'
}

/** The number of lost attempts at which a job fails with "agent lost". */
export const maxLosses = 3
