import { z } from 'zod'

/** A build's life: queued → building → success | failed | aborted; queued → aborted. */
export const BuildState = z.enum(['queued', 'building', 'success', 'failed', 'aborted'])
export type BuildState = z.infer<typeof BuildState>

/** A step's life: pending → building → success | failed | aborted, or pending → not_built. */
export const StepState = z.enum(['pending', 'building', 'success', 'failed', 'aborted', 'not_built'])
export type StepState = z.infer<typeof StepState>

export const isEnded = (state: BuildState | StepState): boolean => !['queued', 'building', 'pending'].includes(state)
