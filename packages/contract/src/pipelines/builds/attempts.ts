import { z } from 'zod'
import { JobState } from '../states.ts'

/** One attempt of a job; if there are very many, the newest are kept. */
export const BuildAttempt = z.object({
  /** The job's position in the build. */
  job: z.number().int(),
  /** From 1. */
  attempt: z.number().int(),
  state: JobState.extract(['building', 'success', 'failed', 'aborted']),
  agentName: z.string(),
  /** Why it ended as it did, in the caller's language. */
  message: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** It ran nothing, because the results of earlier stages were gone: the next attempt runs all stages. */
  startsOver: z.boolean(),
})
export type BuildAttempt = z.infer<typeof BuildAttempt>

/** The results of one attempt of one job; without `attempt`, of the latest attempts of all jobs. */
export const ofAttempt = {
  /** The job's position in the build. */
  job: z.coerce.number().int().min(0).max(10_000).default(0),
  attempt: z.coerce.number().int().min(1).max(1_000_000).optional(),
}
