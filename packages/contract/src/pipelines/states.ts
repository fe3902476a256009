import { z } from 'zod'

/**
 * The states of a build: queued → building → success | failed | aborted. Between its jobs it is queued or building
 * again; it is waiting while only a person's decision can continue it.
 */
export const BuildState = z.enum(['queued', 'building', 'waiting', 'success', 'failed', 'aborted'])
export type BuildState = z.infer<typeof BuildState>

/** What started a build. */
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

/** The states of a step: pending → building → success | failed | aborted, or pending → not_built. */
export const StepState = z.enum(['pending', 'building', 'success', 'failed', 'aborted', 'not_built'])
export type StepState = z.infer<typeof StepState>

/** The states of a job: pending → queued → building → success | failed | aborted, or pending → not_built. */
export const JobState = z.enum(['pending', 'queued', 'building', 'success', 'failed', 'aborted', 'not_built'])
export type JobState = z.infer<typeof JobState>

export const isEnded = (state: BuildState | StepState | JobState): boolean =>
  !['queued', 'building', 'waiting', 'pending'].includes(state)
