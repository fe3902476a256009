import { store } from '../api/store.ts'

/** What the open screen is about, as its heading names it: the browser's tab names it first. */
export const heading = store<string | undefined>(undefined)

/** How much waits for the user: the browser's tab says it before all else. */
export const waiting = store(0)
