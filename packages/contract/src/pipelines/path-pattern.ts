import { z } from 'zod'

/**
 * A pattern of paths relative to the root of a repository: `./src/` and `/src` are `src`, which also matches the
 * folder's files. A leading `!` excludes the matches.
 */
export const pathPattern = z
  .string()
  .trim()
  .min(1, 'glob-required')
  .max(500, 'glob-too-long')
  .overwrite((pattern) => pattern.replace(/^(!?)(\.?\/)+/, '$1').replace(/\/+$/, ''))

/** Whether the pattern can match the path of a file in a repository. */
export const canMatch = (pattern: string): boolean =>
  !pattern.includes('\\') &&
  pattern
    .replace(/^!/, '')
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..')
