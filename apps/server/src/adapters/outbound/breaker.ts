/**
 * The circuit breaker of a server, pure. Closed: requests pass. After `threshold` consecutive failures it opens:
 * requests fail at once, so that a dead server costs its callers nothing. After the pause one request probes
 * (half-open): success closes it, failure doubles the pause, up to 15 s, so that a recovery shows within 30 s.
 */
export interface Breaker {
  failures: number
  /** Epoch ms; requests before it fail at once. 0: closed. */
  openUntil: number
  /** A probe is in progress. */
  trying: boolean
}

export const closed: Breaker = { failures: 0, openUntil: 0, trying: false }

const threshold = 3
const firstRest = 1000
const longestRest = 15_000

export type Outcome = 'success' | 'failure' | 'neither'

/** Whether a request may be sent now, and if not, in how many ms. */
export function ask(breaker: Breaker, now: number): { pass: boolean; wait: number; next: Breaker } {
  if (breaker.openUntil === 0) return { pass: true, wait: 0, next: breaker }
  if (now < breaker.openUntil) return { pass: false, wait: breaker.openUntil - now, next: breaker }
  if (breaker.trying) return { pass: false, wait: firstRest, next: breaker }
  return { pass: true, wait: 0, next: { ...breaker, trying: true } }
}

/**
 * Applies a request's outcome. `probe`: it was the probing one; `neither`: its caller aborted it, or it was never sent.
 * `random` is in [0, 1): pauses vary, so that many servers behind one broken network are not asked at once.
 */
export function tell(breaker: Breaker, outcome: Outcome, probe: boolean, now: number, random: number): Breaker {
  if (outcome === 'success') return closed
  const trying = probe ? false : breaker.trying
  if (outcome === 'neither') return { ...breaker, trying }
  const failures = breaker.failures + 1
  if (failures < threshold) return { ...breaker, failures, trying }
  // failures of requests that were sent before it opened do not count
  if (breaker.openUntil > 0 && !probe) return { ...breaker, trying }
  const rest = Math.min(longestRest, firstRest * 2 ** (failures - threshold))
  return { failures, openUntil: now + rest * (0.75 + random / 2), trying }
}
