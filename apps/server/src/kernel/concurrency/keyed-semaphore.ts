/**
 * Runs at most `atOnce` under one key, the others in order of arrival. Keys are independent: a directory that hangs
 * holds up only its own users.
 */
export function keyedSemaphore(atOnce: number): (key: string, signal: AbortSignal) => Promise<() => void> {
  const queues = new Map<string, { running: number; waiting: Set<() => void> }>()
  return async (key, signal) => {
    signal.throwIfAborted()
    const queue = queues.get(key) ?? { running: 0, waiting: new Set() }
    queues.set(key, queue)
    if (queue.running >= atOnce) {
      await new Promise<void>((resolve, reject) => {
        const go = (): void => {
          signal.removeEventListener('abort', stop)
          resolve()
        }
        const stop = (): void => {
          queue.waiting.delete(go)
          reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
        }
        queue.waiting.add(go)
        signal.addEventListener('abort', stop, { once: true })
      })
    } else queue.running += 1
    let done = false
    return () => {
      if (done) return
      done = true
      const [next] = queue.waiting
      if (next) {
        // the slot goes directly to the next waiter, so that no newcomer gets in first
        queue.waiting.delete(next)
        next()
        return
      }
      queue.running -= 1
      if (queue.running === 0) queues.delete(key)
    }
  }
}
