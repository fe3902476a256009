import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../kernel/fault.ts'

interface Attempts {
  /** The host that `retry-exceeded` names. */
  host: string
  /** Milliseconds before the second, third … attempt, before jitter. */
  pauses: readonly number[]
  now: () => number
  /** Whether another attempt may succeed. */
  mayRetry: (error: Fault) => boolean
  /** Milliseconds for all attempts together. */
  within?: number | undefined
  signal?: AbortSignal | undefined
}

/**
 * Repeats work that failed transiently. `work` gets the milliseconds that are left. If several attempts have failed,
 * throws `retry-exceeded` with the cause of the last one.
 */
export async function retried<T>(
  { host, pauses, now, mayRetry, within = Infinity, signal }: Attempts,
  work: (left: number) => Promise<T>,
): Promise<T> {
  const until = now() + within
  for (let tries = 1; ; tries++) {
    try {
      return await work(until - now())
    } catch (error) {
      if (!(error instanceof Fault) || !mayRetry(error)) throw error
      const pause = (pauses[tries - 1] ?? Infinity) * (0.5 + Math.random())
      if (pause === Infinity || now() + pause >= until) throw tries === 1 ? error : inVain(host, tries, error)
      await sleep(pause, undefined, signal && { signal })
    }
  }
}

function inVain(host: string, tries: number, last: Fault): Fault {
  const fault = new Fault(last.kind, 'retry-exceeded', { host, tries })
  fault.cause = last
  return fault
}
