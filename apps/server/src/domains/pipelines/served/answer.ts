import type { Reason } from '../../../kernel/phrase.ts'

/** How a step that the server does goes on, as its agent is told. */
export interface Answer {
  cancel: boolean
  state: 'running' | 'success' | 'failed'
  /** Lines for the step's log, in English. */
  log: string[]
  reason: Reason | null
  outputs: Record<string, string>
}

export type Done = Omit<Answer, 'cancel'>
