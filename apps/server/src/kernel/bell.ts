import { afterCommit, type Ctx } from './context.ts'

/** Wakes those of this process who wait for something to do. Other replicas look by themselves, every second or so. */
export function bell() {
  const waiting = new Set<() => void>()
  const ring = () => {
    for (const wake of waiting) wake()
    waiting.clear()
  }
  return {
    /** Rings once the transaction that is open has committed. */
    tell: (ctx: Ctx) => afterCommit(ctx, ring),
    ring,
    /** Ends at the next ring, after `ms`, or when the signal aborts. */
    wait: (ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          waiting.delete(end)
          resolve()
        }
        const timer = setTimeout(end, ms)
        signal.addEventListener('abort', end)
        waiting.add(end)
        if (signal.aborted) end()
      }),
  }
}
