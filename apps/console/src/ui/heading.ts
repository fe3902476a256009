import { store } from '../api/store.ts'

/** What the open screen is about, as its heading names it: the browser's tab names it first. */
export const heading = store<string | undefined>(undefined)
