import { z } from 'zod'

/**
 * A pattern of paths as they are written from the root of a repository: `./src/` and `/src` are `src`, which stands for
 * the folder's files too. A leading `!` leaves out what it names.
 */
export const pathPattern = z
  .string()
  .trim()
  .min(1, 'glob-required')
  .max(500, 'glob-too-long')
  .overwrite((pattern) => pattern.replace(/^(!?)(\.?\/)+/, '$1').replace(/\/+$/, ''))

/** Whether a file of a repository can have such a path. */
export const canMatch = (pattern: string): boolean =>
  !pattern.includes('\\') &&
  pattern
    .replace(/^!/, '')
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..')
