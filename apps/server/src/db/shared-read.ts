import type { Db } from './tables.gen.ts'

interface Reads {
  running: Promise<unknown>
  /** The read that begins when the running one has ended, for all callers that come meanwhile. */
  next: Promise<unknown> | undefined
}

const readsOf = new WeakMap<Db, Map<string, Reads>>()

/**
 * Reads once for all callers that ask the same at the same time. Nobody gets what was read before they asked: callers
 * that come during a read wait for the next one, so that they see what they have just written. `key` names everything
 * that the answer depends on besides the database. Check each caller's rights before.
 */
export function sharedRead<T>(db: Db, key: readonly unknown[], read: () => Promise<T>): Promise<T> {
  const reads = readsOf.get(db) ?? new Map<string, Reads>()
  readsOf.set(db, reads)
  const name = JSON.stringify(key)
  const begin = (): Promise<unknown> => {
    const one: Reads = { running: read(), next: undefined }
    reads.set(name, one)
    const end = () => {
      if (one.next === undefined) reads.delete(name)
    }
    one.running.then(end, end)
    return one.running
  }
  const current = reads.get(name)
  if (!current) return begin() as Promise<T>
  current.next ??= current.running.then(begin, begin)
  return current.next as Promise<T>
}
