import { z } from 'zod'
import { displayName, envKey } from '../../validators.ts'
import { Condition } from '../conditions.ts'

/** A glob of files below the workspace: `*`, `**` and `?`; never absolute, and without `..`. */
export const files = z
  .string()
  .trim()
  .min(1, 'files-required')
  .max(500, 'files-invalid')
  .refine((s) => !s.startsWith('/') && !s.split('/').includes('..') && !s.includes('\\'), 'files-invalid')

/** A file or folder of the workspace: relative, no pattern, without `..`. */
export const place = files.refine((path) => !/[*?\p{Cc}]/u.test(path), 'place-invalid')

/** The fields of every step, whatever its type. */
export const common = {
  name: displayName(30, 'step-name-too-long'),
  /** Runs even if an earlier step of the build failed: reports, artifacts. */
  always: z.boolean().optional(),
  when: Condition.optional(),
}

export const environment = z
  .array(z.strictObject({ name: envKey, value: z.string().max(32_768, 'value-too-long') }))
  .max(100, 'list-too-long')
