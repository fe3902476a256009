import type { Fields } from './fields.ts'
import type { Reporter } from './telling.ts'

type Kind = 'ConfigMap' | 'Secret'

interface Source {
  kind: Kind
  name: string
  at: number
  used: Set<string>
  values: Map<string, string>
  /** Position of each entry. */
  places: Map<string, number>
}

/** ConfigMaps and Secrets of the text; their values become variables and files of the services that use them. */
export interface Sources {
  /** A value; undefined if the text has none. */
  value: (kind: Kind, name: string, key: string) => string | undefined
  values: (kind: Kind, name: string) => ReadonlyMap<string, string> | undefined
  /** The keys of an object; reading them does not mark the object as used. */
  keys: (kind: Kind, name: string) => string[] | undefined
  /** Reports objects and entries that nothing uses. */
  tellUnused: () => void
}

const parts = ['data', 'stringData', 'binaryData'] as const

function sourceOf(kind: Kind, name: string, fields: Fields, tell: Reporter): Source {
  const values = new Map<string, string>()
  const places = new Map<string, number>()
  for (const part of parts) {
    if (part === 'stringData' && kind === 'ConfigMap') continue
    const data = fields.fields(part)
    if (!data) continue
    for (const key of data.keys()) {
      const value = data.text(key) ?? ''
      places.set(key, data.place(key))
      const isCoded = part === 'binaryData' || (part === 'data' && kind === 'Secret')
      const bytes = Buffer.from(value, 'base64')
      const text = isCoded ? bytes.toString('utf8') : value
      if (isCoded && !Buffer.from(text, 'utf8').equals(bytes))
        tell.note(data.place(key), 'imports-binary', { key: key.slice(0, 100) })
      else values.set(key, text)
    }
  }
  fields.pass('type', 'immutable')
  return { kind, name, at: fields.at, used: new Set(), values, places }
}

export function openSources(rows: readonly { kind: string; name: string; fields: Fields }[], tell: Reporter): Sources {
  const sources = new Map<string, Source>()
  for (const { kind, name, fields } of rows)
    if (kind === 'ConfigMap' || kind === 'Secret') sources.set(`${kind} ${name}`, sourceOf(kind, name, fields, tell))
  const find = (kind: Kind, name: string): Source | undefined => sources.get(`${kind} ${name}`)
  return {
    value: (kind, name, key) => {
      const source = find(kind, name)
      source?.used.add(key)
      return source?.values.get(key)
    },
    values: (kind, name) => {
      const source = find(kind, name)
      for (const key of source?.values.keys() ?? []) source?.used.add(key)
      return source?.values
    },
    keys: (kind, name) => {
      const source = find(kind, name)
      return source && [...source.values.keys()]
    },
    tellUnused: () => {
      for (const { kind, name, at, used, values, places } of sources.values()) {
        const unused = [...values.keys()].filter((key) => !used.has(key))
        const of = { kind, name: name.slice(0, 100) }
        if (used.size === 0) tell.note(at, 'imports-unused', of)
        else
          for (const key of unused)
            tell.note(places.get(key) ?? at, 'imports-unused-entry', { ...of, key: key.slice(0, 100) })
      }
    },
  }
}
