import { Fault } from '../../kernel/fault.ts'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { ask, closed, tell, type Breaker } from './breaker.ts'

interface Resting {
  /** What is said meanwhile, with the host, the seconds, and `vars` of the call. */
  says: PhraseKey
  /** What is no fault of the question, and counts. */
  passing: (fault: Fault) => boolean
  now: () => number
  /** False: nothing is refused, for whom a user waits at a form; what is seen counts all the same. */
  rests?: boolean
}

/**
 * Leaves servers alone that are down or slow, by origin: such a one costs a page one budget, not one for each of its
 * questions, again and again.
 */
export function createResting({ says, passing, now, rests = true }: Resting) {
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
        // Any answer counts as success; anything but a Fault is the caller's own abort.
        book(error instanceof Fault ? (passing(error) ? 'failure' : 'success') : 'neither')
        throw error
      }
    },
    /** It has just been seen to answer. */
    forget: (base: string): void => void breakers.delete(new URL(base).origin),
  }
}

/** The ways to fail of a connection that pass by themselves. */
export const passesByItself = ({ key }: Fault): boolean =>
  key.startsWith('outbound-') && key !== 'outbound-too-large' && key !== 'outbound-refused'
