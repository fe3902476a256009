import type { StepState } from '@gantry/contract/pipelines/states'

/** Why an attempt that should resume ended before it ran anything: the workspace of earlier stages is gone. */
export const workspaceGone = 'agents-workspace-gone'

/** A step of a job as a retry needs it. */
export interface EndedStep {
  index: number
  stageIndex: number
  state: StepState
  /** The earlier attempt in which it passed; null if the latest attempt has run it, or would have. */
  passedIn: number | null
}

/**
 * The steps of a job that a retry does not run again: those of the stages before the one that failed. If no step of the
 * latest attempt failed, because it was stopped before it began, the steps that it had not to run again.
 */
export function passedSteps(steps: readonly EndedStep[]): number[] {
  const wrong = steps.find(({ state }) => state === 'failed' || state === 'aborted')
  return steps
    .filter(({ stageIndex, passedIn }) => (wrong ? stageIndex < wrong.stageIndex : passedIn !== null))
    .map(({ index }) => index)
}
