import { type Cell, whole } from './cells.ts'
import type { Reporter } from './telling.ts'

/** A map of the text, whose entries are read (taken) one by one. */
export interface Fields {
  at: number
  keys: () => string[]
  /** Position of an entry, or of the map if there is none. */
  place: (key: string) => number
  has: (key: string) => boolean
  /** Takes an entry and returns its value; undefined if it is missing or null. */
  cell: (key: string) => Cell | undefined
  /** Takes a text; numbers and booleans are read as texts. */
  text: (key: string) => string | undefined
  figure: (key: string) => number | undefined
  truth: (key: string) => boolean | undefined
  fields: (key: string) => Fields | undefined
  list: (key: string) => Cell[]
  /** The maps in a list. */
  rows: (key: string) => Fields[]
  /** The texts in a list. */
  words: (key: string) => string[] | undefined
  /** The value of an entry as plain values, without taking it. */
  json: (key: string) => unknown
  /** Takes entries, whatever their values. */
  pass: (...keys: string[]) => void
  /** Takes an entry if it has one of these default values. Any other value is later reported as unsupported. */
  usual: (key: string, ...values: unknown[]) => void
  /** Takes an entry if it exists, and reports it. */
  leave: (key: string, phrase: string, vars?: Record<string, string | number>) => void
}

const textIn = (cell: Cell): string | undefined =>
  cell.is === 'scalar' && cell.value !== null ? String(cell.value) : undefined

/** The entries of a map; undefined, and reported, if it is not a map. */
export function fieldsOf(cell: Cell, tell: Reporter, name = ''): Fields | undefined {
  if (cell.is !== 'map') {
    if (cell.is !== 'scalar' || cell.value !== null) tell.wrong(cell.at, 'imports-expected-map', { field: name })
    return undefined
  }
  const { entries } = cell
  const take = (key: string): Cell | undefined => {
    const entry = entries.get(key)
    if (!entry) return undefined
    entry.taken = true
    return entry.cell.is === 'scalar' && entry.cell.value === null ? undefined : entry.cell
  }
  const place = (key: string): number => entries.get(key)?.at ?? cell.at
  const as =
    <T>(expected: string, read: (found: Cell) => T | undefined) =>
    (key: string): T | undefined => {
      const found = take(key)
      if (!found) return undefined
      const value = read(found)
      if (value === undefined) tell.wrong(found.at, `imports-expected-${expected}`, { field: key.slice(0, 60) })
      return value
    }
  const listAt = as('list', (found) => (found.is === 'list' ? found.items : undefined))
  const fields: Fields = {
    at: cell.at,
    keys: () => [...entries.keys()],
    place,
    has: (key) => entries.has(key),
    cell: take,
    text: as('text', textIn),
    figure: as('figure', (found) => {
      const value = found.is === 'scalar' && found.value !== '' ? Number(found.value) : Number.NaN
      return Number.isFinite(value) ? value : undefined
    }),
    truth: as('truth', (found) => {
      const value = textIn(found)
      return value === 'true' ? true : value === 'false' ? false : undefined
    }),
    fields: (key) => {
      const found = take(key)
      return found && fieldsOf(found, tell, key)
    },
    list: (key) => listAt(key) ?? [],
    rows: (key) => (listAt(key) ?? []).flatMap((one) => fieldsOf(one, tell, key) ?? []),
    words: (key) =>
      listAt(key)?.flatMap((one) => {
        const word = textIn(one)
        if (word === undefined) tell.wrong(one.at, 'imports-expected-text', { field: key })
        return word ?? []
      }),
    json: (key) => {
      const entry = entries.get(key)
      return entry && jsonOf(entry.cell)
    },
    pass: (...keys) => {
      for (const key of keys) {
        const found = take(key)
        if (found) whole(found)
      }
    },
    usual: (key, ...values) => {
      const entry = entries.get(key)
      if (!entry) return
      const said = JSON.stringify(jsonOf(entry.cell))
      if (values.some((value) => JSON.stringify(value) === said)) fields.pass(key)
    },
    leave: (key, phrase, vars = {}) => {
      if (!entries.has(key)) return
      fields.pass(key)
      tell.note(place(key), phrase, { field: key.slice(0, 60), ...vars })
    },
  }
  return fields
}

/** A part as plain values, without taking anything. */
export function jsonOf(cell: Cell): unknown {
  if (cell.is === 'scalar') return cell.value
  if (cell.is === 'list') return cell.items.map(jsonOf)
  return Object.fromEntries([...cell.entries].map(([key, entry]) => [key, jsonOf(entry.cell)]))
}

type Document = Record<string, unknown>

/** A service while it is read, field by field, with the position that each field comes from. */
export interface Draft {
  name: string
  at: number
  document: Document
  /** Positions by the start of a path in the document. */
  places: Map<string, number>
  requires: { name: string; at: number }[]
  /** The ports of its main container that have a name. */
  namedPorts: Map<string, number>
  put: (field: string, value: unknown, at: number) => void
  push: (field: string, value: unknown, at: number) => void
}

export function openDraft(name: string, at: number): Draft {
  const document: Document = {}
  const places = new Map<string, number>()
  return {
    name,
    at,
    document,
    places,
    requires: [],
    namedPorts: new Map(),
    put: (field, value, place) => {
      if (value === undefined) return
      document[field] = value
      places.set(field, place)
    },
    push: (field, value, place) => {
      const list = (document[field] ??= []) as unknown[]
      places.set(`${field}.${list.length}`, place)
      list.push(value)
    },
  }
}
