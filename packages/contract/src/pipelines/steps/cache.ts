import { z } from 'zod'
import { common, place } from './common.ts'

/**
 * The key of a cache entry: `${hash:GLOB}` is replaced by a hash of the matching files' content, `${outputs.step.KEY}`
 * by an output and `${variables.NAME}` by a variable.
 */
const key = z
  .string()
  .trim()
  .min(1, 'cache-key')
  .max(200, 'cache-key')
  .regex(/^([^$\p{Cc}]|\$\{(hash:[^{}]+|outputs\.[^{}]+|variables\.[A-Za-z_][A-Za-z0-9_.-]*)\})*$/u, 'cache-key')

/**
 * Restores the files that an earlier build of the branch, or of the default branch, has cached, and stores them again
 * after the job has succeeded. An entry never changes: only a key without an entry is stored.
 */
export const CacheStep = z.strictObject({
  ...common,
  type: z.literal('cache'),
  key,
  /** Prefixes of keys, tried in order if the key itself has no entry; the newest matching entry is used. */
  fallbacks: z.array(key).max(10, 'list-too-long').default([]),
  /** Files and folders of the workspace. */
  paths: z.array(place).min(1, 'cache-paths').max(20, 'list-too-long'),
})
