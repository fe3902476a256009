import type { Ref } from './objects.ts'

export type Change<Row> =
  | { type: 'added'; row: Row; previous?: undefined }
  | { type: 'changed'; row: Row; previous: Row }
  | { type: 'removed'; row: Row; previous: Row }

interface Entry<Row> {
  row: Row
  uid: string
  /** The object's resourceVersion, to see at a new list what did not change. */
  version: string
  /** The list that saw it last. */
  mark: number
}

/** Deep equality of plain data. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  return keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]))
}

/** The rows of one kind, by namespace and name. Tells its changes to `tell`, in order. */
export function rowStore<Row>(tell: (change: Change<Row>) => void) {
  /** Cluster-wide kinds are all under ''. */
  const namespaces = new Map<string, Map<string, Entry<Row>>>()
  let size = 0
  let mark = 0

  const find = ({ namespace = '', name }: Ref) => namespaces.get(namespace)?.get(name)

  function remove({ namespace = '', name }: Ref): void {
    const names = namespaces.get(namespace)
    const entry = names?.get(name)
    if (!names || !entry) return
    names.delete(name)
    if (names.size === 0) namespaces.delete(namespace)
    size -= 1
    tell({ type: 'removed', row: entry.row, previous: entry.row })
  }

  return {
    get size() {
      return size
    },
    get: (ref: Ref): Row | undefined => find(ref)?.row,
    all: (): Row[] => [...namespaces.values()].flatMap((names) => Array.from(names.values(), ({ row }) => row)),
    inNamespace: (namespace: string): Row[] => Array.from(namespaces.get(namespace)?.values() ?? [], ({ row }) => row),

    /** True where the object is known in this version: its row need not be made again. */
    seen: (ref: Ref, uid: string, version: string): boolean => {
      const entry = find(ref)
      if (entry?.uid !== uid || entry.version !== version) return false
      entry.mark = mark
      return true
    },

    put: (ref: Ref, uid: string, version: string, row: Row): void => {
      const { namespace = '', name } = ref
      const before = find(ref)
      if (before?.uid === uid) {
        const previous = before.row
        before.version = version
        before.mark = mark
        // Most changes of an object (a heartbeat, managed fields) are none of its row.
        if (same(previous, row)) return
        before.row = row
        tell({ type: 'changed', row, previous })
        return
      }
      if (before) remove(ref)
      let names = namespaces.get(namespace)
      if (!names) namespaces.set(namespace, (names = new Map()))
      names.set(name, { row, uid, version, mark })
      size += 1
      tell({ type: 'added', row })
    },

    remove,

    /** A new list begins: what it does not see until `sweep` is gone. */
    beginList: (): void => {
      mark += 1
    },
    sweep: (): void => {
      for (const [namespace, names] of namespaces)
        for (const [name, entry] of names) if (entry.mark !== mark) remove({ namespace, name })
    },
    /** Forgets all without telling: nobody is there to hear. */
    clear: (): void => {
      namespaces.clear()
      size = 0
    },
  }
}

export type RowStore<Row> = ReturnType<typeof rowStore<Row>>
