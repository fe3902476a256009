import type { BuildGate } from '@gantry/contract/pipelines/builds/gate'
import type { ReviewState } from '@gantry/contract/pipelines/reviews'

/**
 * What becomes of a question that people decide. `pass`: one of several who have to agree; `lastPass`: the one who was
 * missing; `expire`: nobody decided in time; `end`: the build ended otherwise; `retry`: the build runs again.
 */
export type DecisionEvent = 'pass' | 'lastPass' | 'reject' | 'expire' | 'end' | 'retry'

/** A build that is retried begins another round: what was decided stays as it was. */
export const reviewAfter = {
  waiting: { pass: 'waiting', lastPass: 'passed', reject: 'rejected', end: 'cancelled', retry: 'cancelled' },
  passed: {},
  rejected: {},
  cancelled: {},
} satisfies Record<ReviewState, Partial<Record<DecisionEvent, ReviewState>>>

/** A stage that runs again has not been asked about: null. Only stages of an ended build run again. */
export const gateAfter = {
  waiting: { pass: 'waiting', lastPass: 'passed', reject: 'rejected', expire: 'expired', end: 'over' },
  passed: { retry: null },
  rejected: { retry: null },
  expired: { retry: null },
  over: { retry: null },
} satisfies Record<BuildGate['state'], Partial<Record<DecisionEvent, BuildGate['state'] | null>>>

/** What a decision is, where `agreed` have agreed before it. */
export const decisionEvent = (pass: boolean, agreed: number, needed: number): 'pass' | 'lastPass' | 'reject' =>
  pass ? (agreed + 1 < needed ? 'pass' : 'lastPass') : 'reject'
