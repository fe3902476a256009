import { z } from 'zod'

/** A period in which a build, or one of its jobs, waited and did not run. */
export const BuildWait = z.object({
  /** `start`: for somebody to start a manual stage. */
  for: z.enum(['review', 'approval', 'start', 'agent']),
  /** The position of the stage or the job in the build; null for a review, which concerns the whole build. */
  stage: z.number().int().nullable(),
  job: z.number().int().nullable(),
  from: z.string(),
  /** Null while it still waits. */
  to: z.string().nullable(),
})
export type BuildWait = z.infer<typeof BuildWait>
