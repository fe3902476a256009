import { z } from 'zod'
import { JobState } from '../states.ts'

/** One attempt of a job; of very many the newest are kept. */
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
  /** It has run nothing, because what earlier stages had left was gone: the next one runs all stages. */
  startsOver: z.boolean(),
})
export type BuildAttempt = z.infer<typeof BuildAttempt>

/** What one attempt of one job left; without `attempt`, what the latest attempts of all jobs did. */
export const ofAttempt = {
  /** The job's position in the build. */
  job: z.coerce.number().int().min(0).max(10_000).default(0),
  attempt: z.coerce.number().int().min(1).max(1_000_000).optional(),
}
