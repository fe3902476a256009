import { z } from 'zod'

/**
 * A build's life: queued → building → success | failed | aborted. Between its jobs it is queued or building again; it
 * is waiting while only a person's decision can bring it on.
 */
export const BuildState = z.enum(['queued', 'building', 'waiting', 'success', 'failed', 'aborted'])
export type BuildState = z.infer<typeof BuildState>

/** What a build was started by. */
export const BuildCause = z.enum([
  'manual',
  'params',
  'image',
  'api',
  'webhook',
  'schedule',
  'pipeline',
  'retry',
  'sample',
])
export type BuildCause = z.infer<typeof BuildCause>

/** A step's life: pending → building → success | failed | aborted, or pending → not_built. */
export const StepState = z.enum(['pending', 'building', 'success', 'failed', 'aborted', 'not_built'])
export type StepState = z.infer<typeof StepState>

/** A job's life: pending → queued → building → success | failed | aborted, or pending → not_built. */
export const JobState = z.enum(['pending', 'queued', 'building', 'success', 'failed', 'aborted', 'not_built'])
export type JobState = z.infer<typeof JobState>

export const isEnded = (state: BuildState | StepState | JobState): boolean =>
  !['queued', 'building', 'waiting', 'pending'].includes(state)
