import type { StepState } from '@gantry/contract/pipelines/states'

/** Why an attempt ends that was to go on with what earlier stages left, and has run nothing: that is not there. */
export const workspaceGone = 'agents-workspace-gone'

/** A step of a job as a retry of the job needs it. */
export interface EndedStep {
  index: number
  stageIndex: number
  state: StepState
  /** The earlier attempt in which it passed; null: the latest attempt has run it, or would have. */
  passedIn: number | null
}

/**
 * The steps of a job that a retry does not run again: those of the stages before the one that went wrong. Where none of
 * the latest attempt went wrong, because it was stopped before it began, what had passed before it stays.
 */
export function passedSteps(steps: readonly EndedStep[]): number[] {
  const wrong = steps.find(({ state }) => state === 'failed' || state === 'aborted')
  return steps
    .filter(({ stageIndex, passedIn }) => (wrong ? stageIndex < wrong.stageIndex : passedIn !== null))
    .map(({ index }) => index)
}
