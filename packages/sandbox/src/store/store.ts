import { randomUUID } from 'node:crypto'
import type { Of } from '../objects/object-of.ts'
import type { Obj } from '../objects/types.ts'
import { openJournal, type Entry } from './journal.ts'

/** A change, as watchers and controllers see it. Its objects are immutable, like all stored ones. */
export interface Change {
  version: number
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  resource: string
  object: Obj
  /** The object before the change; absent for ADDED. */
  previous?: Obj
}

/** The stored objects, in memory, and their history. Objects are immutable: a write replaces the old one. */
export interface Store {
  /** The version of the last change; it grows by one with every change of any object. */
  version(): number
  get<R extends string>(resource: R, namespace: string | undefined, name: string): Of<R> | undefined
  /** In the order of namespace and name, compared byte by byte. */
  list<R extends string>(resource: R, namespace?: string): Of<R>[]
  /** Stores the object with a new resourceVersion, and answers that. It is in the journal when this returns. */
  put<O extends Obj>(resource: string, object: O): O
  remove(resource: string, namespace: string | undefined, name: string): void
  /** The changes after `version`, oldest first; undefined if the history does not reach back that far. */
  since(version: number): Change[] | undefined
  /** `listener` is called within the write, after the object is stored. Answers a function to unsubscribe. */
  subscribe(listener: (change: Change) => void): () => void
  close(): void
}

export interface StoreOptions {
  /** The number of changes that are kept for watchers that resume. */
  history?: number
  /** The journal is compacted when it is larger than this, and larger than four times its compacted size. */
  compactAt?: number
}

const keyOf = (namespace: string | undefined, name: string): string => `${namespace ?? ''}/${name}`

interface Table {
  objects: Map<string, Obj>
  /** Sorted keys; reset when a key is added or removed. */
  order: string[] | undefined
}

export function openStore(path: string, options: StoreOptions = {}): Store {
  const keep = options.history ?? 1000
  const compactAt = options.compactAt ?? 4 * 1024 * 1024
  const tables = new Map<string, Table>()
  const listeners = new Set<(change: Change) => void>()
  let history: Change[] = []
  // A new store starts with a past that is not kept, so that version 1 is too old to watch from, as in a real cluster.
  let version = 1000
  /** The oldest version from which `since` can answer. */
  let reach = version

  const table = (resource: string): Table => {
    let found = tables.get(resource)
    if (!found) tables.set(resource, (found = { objects: new Map(), order: [] }))
    return found
  }

  const apply = (resource: string, key: string, next: Obj | undefined, at: number): Change | undefined => {
    const place = table(resource)
    const previous = place.objects.get(key)
    version = Math.max(version, at)
    if (next) place.objects.set(key, next)
    else place.objects.delete(key)
    if (!next || !previous) place.order = undefined
    if (!next && !previous) return undefined
    if (!next && previous)
      return {
        version: at,
        type: 'DELETED',
        resource,
        object: { ...previous, metadata: { ...previous.metadata, resourceVersion: String(at) } },
        previous,
      }
    if (!next) return undefined
    return previous
      ? { version: at, type: 'MODIFIED', resource, object: next, previous }
      : { version: at, type: 'ADDED', resource, object: next }
  }

  const remember = (change: Change | undefined): void => {
    if (!change) return
    history.push(change)
    if (history.length < keep * 2) return
    const dropped = history.splice(0, history.length - keep)
    reach = dropped.at(-1)?.version ?? reach
  }

  let base = 0
  const journal = openJournal(path, (entry) => {
    if ('format' in entry) {
      version = reach = entry.version
      base = entry.objects
    } else if ('put' in entry) {
      const { metadata } = entry.object
      const key = keyOf(metadata.namespace, metadata.name)
      const change = apply(entry.put, key, entry.object, Number(metadata.resourceVersion))
      if (base > 0) base--
      else remember(change)
    } else {
      remember(apply(entry.del, keyOf(entry.namespace, entry.name), undefined, entry.version))
    }
  })

  function* snapshot(): Generator<Entry> {
    let objects = 0
    for (const place of tables.values()) objects += place.objects.size
    yield { format: 1, version, objects }
    for (const [resource, place] of tables) for (const object of place.objects.values()) yield { put: resource, object }
  }
  const compact = (): number => {
    journal.replace(snapshot())
    return journal.size()
  }
  let compacted = journal.size() === 0 || journal.size() > compactAt ? compact() : journal.size()

  const commit = (entry: Entry, make: () => Change | undefined): void => {
    journal.append(entry)
    const change = make()
    if (!change) return
    remember(change)
    for (const listener of listeners) listener(change)
    if (journal.size() > compactAt && journal.size() > compacted * 4) compacted = compact()
  }

  return {
    version: () => version,
    // The resource determines the type, because the API validates what it stores.
    get: <R extends string>(resource: R, namespace: string | undefined, name: string) =>
      tables.get(resource)?.objects.get(keyOf(namespace, name)) as Of<R> | undefined,
    list<R extends string>(resource: R, namespace?: string) {
      const place = table(resource)
      place.order ??= [...place.objects.keys()].sort()
      const prefix = namespace === undefined ? '' : `${namespace}/`
      const found: Of<R>[] = []
      for (const key of place.order) if (key.startsWith(prefix)) found.push(place.objects.get(key) as Of<R>)
      return found
    },
    put<O extends Obj>(resource: string, object: O): O {
      const at = version + 1
      const stored: O = { ...object, metadata: { ...object.metadata, resourceVersion: String(at) } }
      const key = keyOf(stored.metadata.namespace, stored.metadata.name)
      commit({ put: resource, object: stored }, () => apply(resource, key, stored, at))
      return stored
    },
    remove(resource, namespace, name) {
      const key = keyOf(namespace, name)
      if (!table(resource).objects.has(key)) return
      const at = version + 1
      const entry: Entry = { del: resource, namespace: namespace ?? '', name, version: at }
      commit(entry, () => apply(resource, key, undefined, at))
    },
    since(from) {
      if (from < reach) return undefined
      const first = history.findIndex((change) => change.version > from)
      return first < 0 ? [] : history.slice(first)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => journal.close(),
  }
}

/** Metadata of a new object; the store adds the resourceVersion. */
export const newMeta = (now: number): { uid: string; resourceVersion: string; creationTimestamp: string } => ({
  uid: randomUUID(),
  resourceVersion: '',
  creationTimestamp: seconds(now),
})

/** A time in Kubernetes' format, to the second. */
export const seconds = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`
