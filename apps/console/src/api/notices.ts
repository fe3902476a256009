import { store } from './store.ts'

export type Tone = 'ok' | 'bad' | 'warn' | 'info'

/**
 * A message to the user: a toast over the page, or a notification that arrived by push. Both stay in the bell's list.
 */
export interface Notice {
  id: number
  kind: 'toast' | 'notification'
  tone: Tone
  text: string
  title?: string
  at: number
  read: boolean
}

export const toastMs = 3000
export const notificationMs = 4000
const kept = 100

/** Newest first. */
export const notices = store<readonly Notice[]>([])
/** Those that are visible over the page now. */
export const showing = store<readonly Notice[]>([])

let last = 0

function add(notice: Omit<Notice, 'id' | 'at' | 'read'>): void {
  // The same text once, however many calls failed for one reason.
  if (showing.get().some((shown) => shown.text === notice.text && shown.tone === notice.tone)) return
  const made: Notice = { ...notice, id: ++last, at: Date.now(), read: false }
  notices.set((list) => [made, ...list].slice(0, kept))
  showing.set((list) => [...list, made].slice(-4))
}

export const dismiss = (id: number): void => showing.set((list) => list.filter((notice) => notice.id !== id))
export const markRead = (): void => notices.set((list) => list.map((n) => (n.read ? n : { ...n, read: true })))
export const forget = (): void => notices.set([])

export const toast = {
  ok: (text: string): void => add({ kind: 'toast', tone: 'ok', text }),
  info: (text: string): void => add({ kind: 'toast', tone: 'info', text }),
  warn: (text: string): void => add({ kind: 'toast', tone: 'warn', text }),
  /** Shows an error, whatever was thrown. */
  error: (error: unknown): void => add({ kind: 'toast', tone: 'bad', text: wordsOf(error) }),
}

export const notify = (tone: Tone, text: string, title?: string): void =>
  add({ kind: 'notification', tone, text, ...(title === undefined ? {} : { title }) })

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
