import { store } from '../api/store.ts'

/** The object in the heading of the open screen, with which the browser tab's title begins. */
export const heading = store<string | undefined>(undefined)

/** The number of pending decisions, shown before everything else in the browser tab's title. */
export const waiting = store(0)
