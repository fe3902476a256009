import { z } from 'zod'

/**
 * What becomes of a build. `fixed`: it succeeded after one of the same pipeline, branch and tag had failed. `deployed`: it
 * succeeded, and a step of it has deployed. `waiting`: for a person.
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
