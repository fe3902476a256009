import { later } from '../../ui/feedback/later.ts'

export { Choices } from './reviews/choices.tsx'
export type { Deciding } from './reviews/question.ts'

/** Its fields are more than a list of what waits needs at first. */
export const DecideDialog = later(async () => (await import('./reviews/decide-dialog.tsx')).DecideDialog)
