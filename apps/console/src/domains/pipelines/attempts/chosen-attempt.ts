import type { BuildAttempt } from '@gantry/contract/pipelines/builds/attempts'

/** An attempt of a job as the calls of a build take it. */
export interface ChosenAttempt {
  job: number
  attempt: number
}

export const inAddress = ({ job, attempt }: ChosenAttempt): string => `${job}.${attempt}`

/** The attempt that the address names, as `job.attempt`; undefined: none, or one that there is not. */
export function chosenAttempt(attempts: readonly BuildAttempt[], wanted: string): ChosenAttempt | undefined {
  const named = attempts.find((one) => inAddress(one) === wanted)
  return named && { job: named.job, attempt: named.attempt }
}
