import { Fault } from '../../kernel/fault.ts'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { ask, closed, tell, type Breaker } from './breaker.ts'

interface Resting {
  /** The phrase of the fault while the breaker is open; it gets the host, the seconds, and `vars` of the call. */
  says: PhraseKey
  /** Whether a fault is the server's and not the request's, so that it counts as a failure. */
  passing: (fault: Fault) => boolean
  now: () => number
  /** False: no request is refused, because a user is waiting at a form; outcomes are still counted. */
  rests?: boolean
}

/**
 * Does not ask servers that are down or slow for a while, by origin: such a server then costs a page one timeout
 * instead of one for each request.
 */
export function createBreakers({ says, passing, now, rests = true }: Resting) {
  const breakers = new Map<string, Breaker>()
  return {
    async unlessResting<T>(base: string, work: () => Promise<T>, vars: Record<string, string> = {}): Promise<T> {
      const { origin, host } = new URL(base)
      const before = breakers.get(origin) ?? closed
      const { pass, wait, next } = ask(before, now())
      if (rests && !pass) throw new Fault('unavailable', says, { ...vars, host, seconds: Math.ceil(wait / 1000) })
      breakers.set(origin, next)
      const book = (outcome: 'success' | 'failure' | 'neither'): void => {
        const after = tell(breakers.get(origin) ?? closed, outcome, next.trying && !before.trying, now(), Math.random())
        if (after === closed) breakers.delete(origin)
        else breakers.set(origin, after)
      }
      try {
        const result = await work()
        book('success')
        return result
      } catch (error) {
        // any answer counts as success; anything but a Fault is the caller's own abort
        book(error instanceof Fault ? (passing(error) ? 'failure' : 'success') : 'neither')
        throw error
      }
    },
    /** The server has just answered: closes its breaker. */
    forget: (base: string): void => void breakers.delete(new URL(base).origin),
  }
}

/** Whether a failure of the connection may pass by itself. */
export const isTransient = ({ key }: Fault): boolean =>
  key.startsWith('outbound-') && key !== 'outbound-too-large' && key !== 'outbound-refused'
