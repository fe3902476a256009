import { CallError } from './failure.ts'
import { store } from './store.ts'

export type Tone = 'ok' | 'bad' | 'warn' | 'info'

/** A message over the page: a toast of what the user did here, or a notification that arrived by push. */
export interface Notice {
  id: number
  kind: 'toast' | 'notification'
  tone: Tone
  text: string
  title?: string
}

export const toastMs = 3000
export const notificationMs = 4000

/** Those that are visible over the page now, oldest first. */
export const showing = store<readonly Notice[]>([])

let last = 0
let keep = (_text: string): void => undefined

/** Refusals of the server are kept for the bell, by whoever is connected here; returns how to end that. */
export function keepErrors(by: (text: string) => void): () => void {
  keep = by
  return () => {
    if (keep === by) keep = () => undefined
  }
}

function add(notice: Omit<Notice, 'id'>): void {
  // The same text once, however many calls failed for one reason.
  if (showing.get().some((shown) => shown.text === notice.text && shown.tone === notice.tone)) return
  showing.set((list) => [...list, { ...notice, id: ++last }].slice(-4))
}

export const dismiss = (id: number): void => showing.set((list) => list.filter((notice) => notice.id !== id))
export const forget = (): void => showing.set([])

/** An answer of the server that is worth reading again: an expired session or a lost connection is not. */
const isKept = (error: unknown): boolean => error instanceof CallError && error.status >= 400 && error.status !== 401

export const toast = {
  ok: (text: string): void => add({ kind: 'toast', tone: 'ok', text }),
  info: (text: string): void => add({ kind: 'toast', tone: 'info', text }),
  warn: (text: string): void => add({ kind: 'toast', tone: 'warn', text }),
  /** Shows an error, whatever was thrown. */
  error: (error: unknown): void => {
    add({ kind: 'toast', tone: 'bad', text: wordsOf(error) })
    if (isKept(error)) keep(wordsOf(error))
  },
}

export const notify = (tone: Tone, text: string, title?: string): void =>
  add({ kind: 'notification', tone, text, ...(title === undefined ? {} : { title }) })

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
