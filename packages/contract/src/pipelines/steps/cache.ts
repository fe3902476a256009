import { z } from 'zod'
import { common, place } from './common.ts'

/**
 * A name of what is kept, in which `${hash:GLOB}` stands for the content of the files that match,
 * `${outputs.step.KEY}` for an output and `${variables.NAME}` for a variable.
 */
const key = z
  .string()
  .trim()
  .min(1, 'cache-key')
  .max(200, 'cache-key')
  .regex(/^([^$\p{Cc}]|\$\{(hash:[^{}]+|outputs\.[^{}]+|variables\.[A-Za-z_][A-Za-z0-9_.-]*)\})*$/u, 'cache-key')

/**
 * Puts into the workspace what an earlier build of the branch, or of the default branch, has kept, and keeps it anew when
 * the job has succeeded. An entry never changes: it is kept under a key that has none yet.
 */
export const CacheStep = z.strictObject({
  ...common,
  type: z.literal('cache'),
  key,
  /** Beginnings of keys, tried in order where the key itself has no entry; of each the newest entry counts. */
  fallbacks: z.array(key).max(10, 'list-too-long').default([]),
  /** Files and folders of the workspace. */
  paths: z.array(place).min(1, 'cache-paths').max(20, 'list-too-long'),
})
