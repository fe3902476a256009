import type { Reason } from '../../../kernel/phrase.ts'

/** The step of a build's attempt. */
export interface StepOfBuild {
  buildId: number
  teamId: number
  index: number
  attempt: number
}

/** The progress of a step that the server runs, as sent to the agent. */
export interface Answer {
  cancel: boolean
  state: 'running' | 'success' | 'failed'
  /** Lines for the step's log, in English. */
  log: string[]
  reason: Reason | null
  outputs: Record<string, string>
}

export type Done = Omit<Answer, 'cancel'>
