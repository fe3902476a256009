import type { BuildState, StepState } from '@gantry/contract/pipelines/states'

/** What can happen to a build. */
export type BuildEvent = 'claim' | 'succeed' | 'fail' | 'abort' | 'lose'

const builds: Record<BuildState, Partial<Record<BuildEvent, BuildState>>> = {
  queued: { claim: 'building', abort: 'aborted', fail: 'failed' },
  // `lose`: the lease ran out; the build is queued again for its next attempt
  building: { succeed: 'success', fail: 'failed', abort: 'aborted', lose: 'queued' },
  success: {},
  failed: {},
  aborted: {},
}

/** The state that follows, or undefined where this cannot happen now. */
export const nextBuildState = (state: BuildState, event: BuildEvent): BuildState | undefined => builds[state][event]

const steps: Record<StepState, readonly StepState[]> = {
  pending: ['building', 'not_built', 'aborted', 'failed'],
  building: ['success', 'failed', 'aborted'],
  success: [],
  failed: [],
  aborted: [],
  not_built: [],
}

export const stepMayBecome = (from: StepState, to: StepState): boolean => steps[from].includes(to)

/** A stage is what its steps are: the worst of those that ended, building while one runs or waits behind an ended one. */
export function stageState(states: StepState[]): StepState {
  const has = (state: StepState) => states.includes(state)
  if (has('building')) return 'building'
  if (has('failed')) return has('pending') ? 'building' : 'failed'
  if (has('aborted')) return 'aborted'
  if (has('pending')) return has('success') ? 'building' : 'pending'
  return has('success') ? 'success' : 'not_built'
}

/** A lost build is tried this often before it fails with "agent lost". */
export const maxAttempts = 3
