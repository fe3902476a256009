import type { Condition } from '@gantry/contract/pipelines/conditions'
import type { JobState } from '@gantry/contract/pipelines/states'
import { type Facts, holdsFor, outputHolds, resultHolds, resultOfStep, stepHolds } from './conditions.ts'
import type { BuildProgress, JobGroup } from './next.ts'
import { hasCheckout, type PlannedJob } from './plan.ts'

/** The result that a job itself waits for, whatever its steps say; undefined if its steps decide. */
export const resultCondition = ({ when }: PlannedJob): Condition['result'] =>
  when.map(({ result }) => result).findLast((result) => result !== undefined)

/** Whether a job has anything to do. A step that waits for an output of its own job counts: it may still run. */
function runs(job: PlannedJob, facts: Facts, failed: boolean): boolean {
  if (!job.when.every((when) => holdsFor(when, facts) && outputHolds(when, facts.outputs))) return false
  const result = resultCondition(job)
  if (result !== undefined) return resultHolds(result, failed)
  return job.steps.some(
    ({ step, around }) =>
      holdsFor(around, facts) && stepHolds(step, facts) && resultHolds(resultOfStep(step, around), failed),
  )
}

/** The stages with a gate that was opened, by their index. */
export type Gates = ReadonlyMap<number, 'waiting' | 'open' | 'closed'>

/** The progress of a build: its plan with the present states of its jobs. */
export function progressOf(
  plan: readonly PlannedJob[],
  states: readonly JobState[],
  facts: Facts,
  { gates, ...of }: Pick<BuildProgress, 'hasTurn' | 'cancelled' | 'commitKnown'> & { gates: Gates },
): BuildProgress {
  const legs: JobGroup[] = []
  for (const [index, job] of plan.entries()) {
    const leg = (legs[job.leg] ??= { gate: job.gate && (gates.get(job.gate.stageIndex) ?? 'waiting'), jobs: [] })
    leg.jobs.push({
      index,
      state: states[index] ?? 'pending',
      checksOut: hasCheckout(job),
      runs: { afterSuccess: runs(job, facts, false), afterFailure: runs(job, facts, true) },
    })
  }
  return { ...of, legs }
}
