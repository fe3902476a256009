import { z } from 'zod'
import { envKey } from '../validators.ts'
import { pathPattern } from './path-pattern.ts'

const some = (text: z.ZodString) => z.array(text).min(1, 'list-empty').max(100, 'list-too-long')
const texts = (max: number) => some(z.string().min(1, 'value-required').max(max, 'value-too-long'))

/**
 * `step.KEY`: an output of an earlier step, by the step's name. `job.step.KEY`, for a matrix `job (value,
 * value).step.KEY`: an output of one job, if steps of several jobs have the same name.
 */
export const outputName = z
  .string()
  .max(300, 'output-name')
  .regex(/^.+\.[A-Za-z_][A-Za-z0-9_]*$/, 'output-name')

/**
 * When a stage, a job or a step runs: every given condition must hold. In patterns `*` stands for any text without a
 * slash, `**` for any text and `?` for one character; a path that begins with `!` is excluded.
 */
export const Condition = z.strictObject({
  branches: texts(255).optional(),
  tags: texts(255).optional(),
  /** Files that the push or merge request changed. The condition holds if the changed files are unknown. */
  paths: some(pathPattern).optional(),
  /** The result of the build so far; absent: only while nothing has failed. */
  result: z.enum(['success', 'failed', 'always']).optional(),
  parameter: z.strictObject({ name: envKey, in: texts(4096) }).optional(),
  output: z.strictObject({ name: outputName, in: texts(4096) }).optional(),
})
export type Condition = z.infer<typeof Condition>

/** Limits of a step's outputs: their number, the length of each value, and the size of the file that sets them. */
export const outputLimits = { values: 100, value: 4096, file: 64 * 1024 }
