import type { BuildAttempt } from '@gantry/contract/pipelines/builds/attempts'

/** An attempt of a job, as parameter of a build's calls. */
export interface ChosenAttempt {
  job: number
  attempt: number
}

export const inAddress = ({ job, attempt }: ChosenAttempt): string => `${job}.${attempt}`

/** The attempt in the address, as `job.attempt`; undefined if there is none, or it does not exist. */
export function chosenAttempt(attempts: readonly BuildAttempt[], wanted: string): ChosenAttempt | undefined {
  const named = attempts.find((one) => inAddress(one) === wanted)
  return named && { job: named.job, attempt: named.attempt }
}
