import { afterCommit, type Ctx } from './context.ts'

/** Wakes waiting loops of this process. Other replicas poll, every second or so. */
export function wakeup() {
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const end of waiting) end()
    waiting.clear()
  }
  return {
    wake,
    /** Wakes after the commit of the open transaction. */
    wakeAfterCommit: (ctx: Ctx) => afterCommit(ctx, wake),
    /** Resolves at the next wake-up, after `ms`, or when the signal aborts. */
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
