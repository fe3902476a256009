import { later } from '../../ui/feedback/later.ts'

export { Choices } from './reviews/choices.tsx'
export type { Deciding } from './reviews/question.ts'

/** Loaded lazily, because a list of pending decisions does not need its fields at first. */
export const DecideDialog = later(async () => (await import('./reviews/decide-dialog.tsx')).DecideDialog)
