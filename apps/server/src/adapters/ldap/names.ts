import type { Outbound } from '../outbound/outbound.ts'
import type { Pinned } from '../outbound/lookup.ts'

/**
 * A look at a name occupies one of the few threads that password hashes need as well, and goes on after whoever asked
 * has left. So a name is looked at once at a time, and one that failed not again for so long.
 */
const restMs = 10_000

/** Resolves and checks a host by the outbound rules; waiting for it ends with the signal. */
export function createAdmission(outbound: Outbound): (host: string, signal: AbortSignal) => Promise<Pinned> {
  const looking = new Map<string, Promise<Pinned>>()
  function look(host: string): Promise<Pinned> {
    const under = looking.get(host)
    if (under) return under
    const began = Date.now()
    const found = outbound.admit(`http://${host}`)
    looking.set(host, found)
    const forget = () => looking.delete(host)
    found.then(forget, () => {
      if (Date.now() - began < 1_000) forget()
      else setTimeout(forget, restMs).unref()
    })
    return found
  }
  return (host, signal) =>
    new Promise((resolve, reject) => {
      const stopped = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
      if (signal.aborted) return stopped()
      signal.addEventListener('abort', stopped, { once: true })
      look(host)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', stopped))
    })
}
