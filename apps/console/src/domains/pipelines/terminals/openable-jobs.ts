import type { BuildStage } from '@gantry/contract/pipelines/builds'

export interface OpenableJob {
  /** Its position in the build. */
  index: number
  name: string
}

/** The running and failed jobs of a build; steps of stages without jobs are one job, named like their stage. */
export function openableJobs(stages: readonly BuildStage[]): OpenableJob[] {
  const found = new Map<number, OpenableJob>()
  for (const { name: stage, jobs, steps } of stages) {
    for (const { index, name, matrix, state } of jobs)
      if (state === 'building' || state === 'failed')
        found.set(index, { index, name: [name, ...Object.values(matrix)].join(' ') })
    if (jobs.length > 0) continue
    const step = steps.find(({ state }) => state === 'building') ?? steps.find(({ state }) => state === 'failed')
    if (step) found.set(step.job, { index: step.job, name: stage })
  }
  return [...found.values()]
}
