import { sql } from 'kysely'
import { z } from 'zod'

/** The merge request of a build, as stored with the build. */
export const MergeRequest = z.object({
  number: z.number(),
  /** The branch to merge, and the branch to merge it into. */
  source: z.string(),
  target: z.string(),
  /** The source is in another repository, whose authors are not trusted. */
  fork: z.boolean(),
})
export type MergeRequest = z.infer<typeof MergeRequest>

/** Whether a row of `build` is of a fork's merge request. */
export const isOfFork = sql<boolean>`coalesce((build.merge_request ->> 'fork')::boolean, false)`
