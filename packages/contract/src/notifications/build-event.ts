import { z } from 'zod'

/**
 * Events of a build. `fixed`: it succeeded after a failed build of the same pipeline, branch and tag. `deployed`: it
 * succeeded, and one of its steps has deployed. `waiting`: it waits for a person.
 */
export const BuildEvent = z.enum([
  'build.failed',
  'build.fixed',
  'build.waiting',
  'build.deployed',
  'build.success',
  'build.aborted',
])
export type BuildEvent = z.infer<typeof BuildEvent>
