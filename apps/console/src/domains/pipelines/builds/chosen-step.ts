import type { BuildStage, BuildStep } from '@gantry/contract/pipelines/builds'

export interface PlacedStep extends BuildStep {
  stage: string
}

export const stepsOf = (stages: readonly BuildStage[]): PlacedStep[] =>
  stages.flatMap((stage) => stage.steps.map((step) => ({ ...step, stage: stage.name })))

/**
 * The step whose log is shown: the one in the address; otherwise the first failed one, the running one, the last that
 * ran, or the first; with a job, one of its steps. So the log follows a build until the user selects a step.
 */
export function chosenStep(stages: readonly BuildStage[], wanted: string, job?: number): PlacedStep | undefined {
  const steps = stepsOf(stages).filter((step) => job === undefined || step.job === job)
  const named = wanted === '' ? undefined : steps.find((step) => String(step.index) === wanted)
  return (
    named ??
    steps.find((step) => step.state === 'failed') ??
    steps.find((step) => step.state === 'building') ??
    steps.findLast((step) => step.startedAt !== null) ??
    steps[0]
  )
}
