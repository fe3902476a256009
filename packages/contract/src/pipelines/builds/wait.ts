import { z } from 'zod'

/** A time in which a build, or a job of it, waited and did not run. */
export const BuildWait = z.object({
  /** `start`: for somebody who starts a manual stage. */
  for: z.enum(['review', 'approval', 'start', 'agent']),
  /** The position of the stage or of the job in the build; null for a review, which is of the whole. */
  stage: z.number().int().nullable(),
  job: z.number().int().nullable(),
  from: z.string(),
  /** Null while it waits. */
  to: z.string().nullable(),
})
export type BuildWait = z.infer<typeof BuildWait>
