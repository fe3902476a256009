import { wakeup } from '../../../kernel/wakeup.ts'

/** Rung when a build was queued or stopped, or a place became free: agents' calls wait for it. */
export const queued = wakeup()
