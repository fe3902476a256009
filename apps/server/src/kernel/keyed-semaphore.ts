/**
 * At most so many at once under one key, the others in the order in which they came. Keys know nothing of each other:
 * a directory that hangs makes only its own visitors wait.
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
        // the turn itself goes on, so nobody who comes now gets in between
        queue.waiting.delete(next)
        next()
        return
      }
      queue.running -= 1
      if (queue.running === 0) queues.delete(key)
    }
  }
}
