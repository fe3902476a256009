import { afterCommit, type Ctx } from './context.ts'

/** Resolves when `listen` calls back, after `ms`, or when the signal aborts. `listen` returns how to unsubscribe. */
const waiting = (listen: (wake: () => void) => () => void, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      stop()
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    const stop = listen(end)
    if (signal.aborted) end()
  })

/** Wakes waiting loops of this process. Loops of other replicas find the change at their next look. */
export function wakeup() {
  const loops = new Set<() => void>()
  const wake = () => {
    for (const end of loops) end()
  }
  const listen = (end: () => void) => {
    loops.add(end)
    return () => loops.delete(end)
  }
  return {
    wake,
    /** Wakes after the commit of the open transaction. */
    wakeAfterCommit: (ctx: Ctx) => afterCommit(ctx, wake),
    wait: (ms: number, signal: AbortSignal) => waiting(listen, ms, signal),
  }
}

/** Wakes waiting loops of all replicas: see Events.ring. */
export const sharedWakeup = (name: string) => ({
  /** Wakes after the commit of the open transaction. */
  wakeAfterCommit: (ctx: Ctx) => afterCommit(ctx, () => ctx.events.ring(name)),
  wait: (ctx: Ctx, ms: number, signal: AbortSignal) => waiting((end) => ctx.events.onRing(name, end), ms, signal),
})
