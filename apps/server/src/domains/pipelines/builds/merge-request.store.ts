import { sql } from 'kysely'
import { z } from 'zod'

/** The merge request that a build is of, as it is kept with the build. */
export const MergeRequest = z.object({
  number: z.number(),
  /** The branch that is to be merged, and the one into which. */
  source: z.string(),
  target: z.string(),
  /** The source is in another repository, whose people need not be trusted. */
  fork: z.boolean(),
})
export type MergeRequest = z.infer<typeof MergeRequest>

/** Of a row of builds: whether it is of a fork's merge request. */
export const isOfFork = sql<boolean>`coalesce((build.merge_request ->> 'fork')::boolean, false)`
