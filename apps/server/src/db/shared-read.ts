import type { Kysely } from 'kysely'
import type { Tables } from './tables.gen.ts'

interface Reads {
  running: Promise<unknown>
  /** The one that begins when that has ended: whoever comes meanwhile shares it. */
  next: Promise<unknown> | undefined
}

const readsOf = new WeakMap<Kysely<Tables>, Map<string, Reads>>()

/**
 * Reads once for all who ask the same at the same moment. Nobody gets what was read before they asked: who comes while a
 * read runs waits for the next one, so that a caller sees what it has just written. `key` names everything that the answer
 * depends on besides the database. Who may have the answer is decided for each caller before.
 */
export function sharedRead<T>(db: Kysely<Tables>, key: readonly unknown[], read: () => Promise<T>): Promise<T> {
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
