import type { Outbound } from '../outbound/outbound.ts'
import type { Pinned } from '../outbound/lookup.ts'

/** Resolves and checks a host under the outbound rules; the signal ends the wait. */
export const createAdmission =
  (outbound: Outbound) =>
  (host: string, signal: AbortSignal): Promise<Pinned> =>
    new Promise((resolve, reject) => {
      const stopped = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
      if (signal.aborted) return stopped()
      signal.addEventListener('abort', stopped, { once: true })
      outbound
        .admit(`http://${host}`)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', stopped))
    })
