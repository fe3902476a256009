import type { Ref } from '../objects.ts'

export type Change<Row> =
  | { type: 'added'; row: Row; previous?: undefined }
  | { type: 'changed'; row: Row; previous: Row }
  | { type: 'removed'; row: Row; previous: Row }

interface Entry<Row> {
  row: Row
  uid: string
  /** The object's resourceVersion, which shows whether it has changed in a new list. */
  version: string
  /** The number of the last list that contained it. */
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

/** For kinds with any number of objects: rows beyond `most` are dropped, those with the lowest `age` first. */
export interface Cap<Row> {
  most: number
  /** Compared by code unit, as for RFC 3339 times. */
  age: (row: Row) => string
}

/** The rows of one kind, by namespace and name. Reports changes to `tell`, in order. */
export function rowStore<Row>(tell: (change: Change<Row>) => void, cap?: Cap<Row>) {
  /** Cluster-wide kinds are all under ''. */
  const namespaces = new Map<string, Map<string, Entry<Row>>>()
  let size = 0
  let mark = 0
  let dropped = false
  /** All rows, until one changes: readers share one copy, and may cache what they derive from it. */
  let whole: readonly Row[] | undefined

  const find = ({ namespace = '', name }: Ref) => namespaces.get(namespace)?.get(name)

  const change = (one: Change<Row>) => {
    whole = undefined
    tell(one)
  }

  function remove({ namespace = '', name }: Ref): void {
    const names = namespaces.get(namespace)
    const entry = names?.get(name)
    if (!names || !entry) return
    names.delete(name)
    if (names.size === 0) namespaces.delete(namespace)
    size -= 1
    change({ type: 'removed', row: entry.row, previous: entry.row })
  }

  /** Drops only at a tenth above the cap, so that most new rows do not need a scan of the others. */
  function drop({ most, age }: Cap<Row>): void {
    if (size < most * 1.1) return
    const all = [...namespaces].flatMap(([namespace, names]) =>
      Array.from(names, ([name, { row }]) => ({ ref: { namespace, name }, age: age(row) })),
    )
    all.sort((a, b) => (a.age < b.age ? -1 : 1))
    for (const { ref } of all.slice(0, size - most)) remove(ref)
    dropped = true
  }

  return {
    get size() {
      return size
    },
    /** Whether the cluster has more objects: dropped ones are older than the rows here. */
    cut: (): boolean => dropped && cap !== undefined && size >= cap.most,
    get: (ref: Ref): Row | undefined => find(ref)?.row,
    /** The same array as long as no row changes. */
    all: (): readonly Row[] =>
      (whole ??= [...namespaces.values()].flatMap((names) => Array.from(names.values(), ({ row }) => row))),
    inNamespace: (namespace: string): Row[] => Array.from(namespaces.get(namespace)?.values() ?? [], ({ row }) => row),

    /** True if the object is known in this version, so that its row need not be built again. */
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
        // most changes of an object (a heartbeat, managed fields) do not affect its row
        if (same(previous, row)) return
        before.row = row
        change({ type: 'changed', row, previous })
        return
      }
      if (before) remove(ref)
      let names = namespaces.get(namespace)
      if (!names) namespaces.set(namespace, (names = new Map()))
      names.set(name, { row, uid, version, mark })
      size += 1
      change({ type: 'added', row })
      if (cap) drop(cap)
    },

    remove,

    /** Begins a new list: `sweep` removes the rows that it did not contain. */
    beginList: (): void => {
      mark += 1
    },
    sweep: (): void => {
      for (const [namespace, names] of namespaces)
        for (const [name, entry] of names) if (entry.mark !== mark) remove({ namespace, name })
    },
    /** Clears without reporting: there are no listeners. */
    clear: (): void => {
      namespaces.clear()
      whole = undefined
      dropped = false
      size = 0
    },
  }
}

export type RowStore<Row> = ReturnType<typeof rowStore<Row>>
