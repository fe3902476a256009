import { describe, expect, test } from 'vitest'
import { ask, closed, tell } from './breaker.ts'
import type { Breaker, Outcome } from './breaker.ts'

/** Applies outcomes of normal requests, one per millisecond. */
const after = (...outcomes: Outcome[]): Breaker =>
  outcomes.reduce<Breaker>((breaker, outcome, at) => tell(breaker, outcome, false, at, 0.5), closed)

describe('the circuit breaker', () => {
  test.each<[Outcome[], boolean]>([
    [[], true],
    [['failure', 'failure'], true],
    [['failure', 'failure', 'success', 'failure', 'failure'], true],
    [['failure', 'neither', 'failure'], true],
    [['failure', 'failure', 'failure'], false],
    [['failure', 'neither', 'failure', 'neither', 'failure'], false],
  ])('after %j passes: %s', (outcomes, pass) => {
    expect(ask(after(...outcomes), 10).pass).toBe(pass)
  })

  test('lets one request probe after its pause, and closes on success', () => {
    const open = after('failure', 'failure', 'failure')
    expect(ask(open, open.openUntil - 1)).toMatchObject({ pass: false, wait: 1 })
    const first = ask(open, open.openUntil)
    expect(first.pass).toBe(true)
    expect(ask(first.next, open.openUntil).pass).toBe(false)
    expect(tell(first.next, 'success', true, open.openUntil, 0.5)).toEqual(closed)
  })

  test('doubles the pause after each failed probe, up to a cap that still shows a recovery within 30 s', () => {
    let breaker = after('failure', 'failure', 'failure')
    const rests = Array.from({ length: 8 }, () => {
      const now = breaker.openUntil
      breaker = tell(ask(breaker, now).next, 'failure', true, now, 0.5)
      return breaker.openUntil - now
    })
    expect(rests).toEqual([2000, 4000, 8000, 15_000, 15_000, 15_000, 15_000, 15_000])
    expect(tell({ failures: 99, openUntil: 1, trying: true }, 'failure', true, 0, 0.999).openUntil).toBeLessThan(19_000)
  })

  test('lets another request probe after an aborted probe', () => {
    const open = after('failure', 'failure', 'failure')
    const { next } = ask(open, open.openUntil)
    expect(ask(tell(next, 'neither', true, open.openUntil, 0.5), open.openUntil).pass).toBe(true)
  })

  test('does not lengthen the pause for requests that were already sent', () => {
    const open = after('failure', 'failure', 'failure')
    expect(tell(open, 'failure', false, 500, 0.5).openUntil).toBe(open.openUntil)
  })
})
