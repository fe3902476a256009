import { CallError } from './failure.ts'
import { store } from './store.ts'

export type Tone = 'ok' | 'bad' | 'warn' | 'info'

/** A message over the page: a toast about an action of the user here, or a notification that arrived by push. */
export interface Notice {
  id: number
  kind: 'toast' | 'notification'
  tone: Tone
  text: string
  title?: string
}

export const toastMs = 3000
export const notificationMs = 4000

/** The visible messages, oldest first. */
export const showing = store<readonly Notice[]>([])

let last = 0
let keep = (_text: string): void => undefined

/** Registers the function that keeps the server's refusals for the bell; returns a function to unregister it. */
export function keepErrors(by: (text: string) => void): () => void {
  keep = by
  return () => {
    if (keep === by) keep = () => undefined
  }
}

function add(notice: Omit<Notice, 'id'>): void {
  // An equal message is shown once, however many calls failed for one reason.
  if (showing.get().some((other) => other.text === notice.text && other.tone === notice.tone)) return
  showing.set((list) => [...list, { ...notice, id: ++last }].slice(-4))
}

export const dismiss = (id: number): void => showing.set((list) => list.filter((notice) => notice.id !== id))
export const forget = (): void => showing.set([])

/** Whether an error is a server's answer worth reading again: an expired session or a lost connection is not. */
const isKept = (error: unknown): boolean => error instanceof CallError && error.status >= 400 && error.status !== 401

export const toast = {
  ok: (text: string): void => add({ kind: 'toast', tone: 'ok', text }),
  info: (text: string): void => add({ kind: 'toast', tone: 'info', text }),
  warn: (text: string): void => add({ kind: 'toast', tone: 'warn', text }),
  /** Shows any thrown value as an error. */
  error: (error: unknown): void => {
    add({ kind: 'toast', tone: 'bad', text: wordsOf(error) })
    if (isKept(error)) keep(wordsOf(error))
  },
}

export const notify = (tone: Tone, text: string, title?: string): void =>
  add({ kind: 'notification', tone, text, ...(title === undefined ? {} : { title }) })

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
