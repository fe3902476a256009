/**
 * The circuit breaker of a cluster, pure. Closed: requests pass. After `threshold` failures in a row it opens: requests
 * fail at once, so that a dead cluster costs its callers nothing. When the rest is over one request tries (half-open): its
 * success closes, its failure doubles the rest, up to 15 s, so that a cluster that is back shows within 30 s.
 */
export interface Breaker {
  failures: number
  /** Epoch ms; requests before it fail at once. 0: closed. */
  openUntil: number
  /** One request is out to try. */
  trying: boolean
}

export const closed: Breaker = { failures: 0, openUntil: 0, trying: false }

const threshold = 3
const firstRest = 1000
const longestRest = 15_000

export type Outcome = 'success' | 'failure' | 'neither'

/** Whether a request may go out now, and if not, in how many ms one may. */
export function ask(breaker: Breaker, now: number): { pass: boolean; wait: number; next: Breaker } {
  if (breaker.openUntil === 0) return { pass: true, wait: 0, next: breaker }
  if (now < breaker.openUntil) return { pass: false, wait: breaker.openUntil - now, next: breaker }
  if (breaker.trying) return { pass: false, wait: firstRest, next: breaker }
  return { pass: true, wait: 0, next: { ...breaker, trying: true } }
}

/**
 * What a request's end means. `probe`: it was the one that tried; `neither`: it was given up by its caller, or never
 * left. `random` is in [0, 1): rests are spread, so that many clusters behind one broken network do not return at once.
 */
export function tell(breaker: Breaker, outcome: Outcome, probe: boolean, now: number, random: number): Breaker {
  if (outcome === 'success') return closed
  const trying = probe ? false : breaker.trying
  if (outcome === 'neither') return { ...breaker, trying }
  const failures = breaker.failures + 1
  if (failures < threshold) return { ...breaker, failures, trying }
  // Failures of requests that went out before it opened say nothing new.
  if (breaker.openUntil > 0 && !probe) return { ...breaker, trying }
  const rest = Math.min(longestRest, firstRest * 2 ** (failures - threshold))
  return { failures, openUntil: now + rest * (0.75 + random / 2), trying }
}
