import type { BuildGate } from '@gantry/contract/pipelines/builds/gate'
import type { ReviewState } from '@gantry/contract/pipelines/reviews'

/**
 * The events of a decision. `pass`: one of several required approvals; `lastPass`: the last required one; `expire`:
 * nobody decided in time; `end`: the build ended otherwise; `retry`: the build runs again.
 */
export type DecisionEvent = 'pass' | 'lastPass' | 'reject' | 'expire' | 'end' | 'retry'

/** A retried build begins another round, and the earlier ones keep their state. */
export const reviewAfter = {
  waiting: { pass: 'waiting', lastPass: 'passed', reject: 'rejected', end: 'cancelled', retry: 'cancelled' },
  passed: {},
  rejected: {},
  cancelled: {},
} satisfies Record<ReviewState, Partial<Record<DecisionEvent, ReviewState>>>

/** Null: the gate of a stage that runs again is deleted. Only stages of an ended build run again. */
export const gateAfter = {
  waiting: { pass: 'waiting', lastPass: 'passed', reject: 'rejected', expire: 'expired', end: 'over' },
  passed: { retry: null },
  rejected: { retry: null },
  expired: { retry: null },
  over: { retry: null },
} satisfies Record<BuildGate['state'], Partial<Record<DecisionEvent, BuildGate['state'] | null>>>

/** The event of a decision after `agreed` approvals. */
export const decisionEvent = (pass: boolean, agreed: number, needed: number): 'pass' | 'lastPass' | 'reject' =>
  pass ? (agreed + 1 < needed ? 'pass' : 'lastPass') : 'reject'
