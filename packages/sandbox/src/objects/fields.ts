import { isRecord } from './record.ts'
import { entryType, type Type } from './schema.ts'
import type { FieldTree } from './types.ts'

/** `k:{"name":"web"}`; the default protocol of a port is TCP. */
export function keySegment(keys: string[], item: unknown): string {
  const record = isRecord(item) ? item : {}
  const found = keys.toSorted().map((key) => [key, record[key] ?? (key === 'protocol' ? 'TCP' : undefined)])
  return `k:${JSON.stringify(Object.fromEntries(found))}`
}

/** A set of fields: the path of each, joined, with its value if known. */
export type Fields = Map<string, unknown>

export const joint = '\u0000'
export const split = (path: string): string[] => path.split(joint)

/** The leaves of a value, and `.` for each item of a keyed list. */
export function fieldsOf(value: unknown, type: Type): Fields {
  const fields: Fields = new Map()
  walk(value, type, '', fields)
  return fields
}

function walk(value: unknown, type: Type | undefined, at: string, fields: Fields): void {
  const down = (segment: string): string => (at === '' ? segment : `${at}${joint}${segment}`)
  if (value === undefined || value === null) return
  if (type?.kind === 'list' && Array.isArray(value) && value.length > 0 && type.keys !== 'atomic') {
    for (const item of value as unknown[])
      if (type.keys === 'set') fields.set(down(`v:${JSON.stringify(item)}`), item)
      else {
        const next = down(keySegment(type.keys, item))
        fields.set(`${next}${joint}.`, undefined)
        walkEntries(item, type.item, next, fields)
      }
    return
  }
  const deep = (type?.kind === 'struct' || type?.kind === 'map') && !type.atomic
  if (deep && isRecord(value) && Object.keys(value).length > 0) walkEntries(value, type, at, fields)
  else if (at !== '') fields.set(at, value)
}

function walkEntries(value: unknown, type: Type, at: string, fields: Fields): void {
  if (!isRecord(value)) return
  for (const [name, one] of Object.entries(value))
    walk(one, entryType(type, name), at === '' ? `f:${name}` : `${at}${joint}f:${name}`, fields)
}

export function toTree(paths: Iterable<string>): FieldTree {
  const root: FieldTree = {}
  for (const path of paths) {
    let at = root
    for (const segment of split(path)) at = at[segment] ??= {}
  }
  return root
}

export function fromTree(tree: FieldTree): Set<string> {
  const paths = new Set<string>()
  const down = (at: FieldTree, path: string): void => {
    const entries = Object.entries(at)
    if (entries.length === 0 && path !== '') paths.add(path)
    for (const [segment, next] of entries) down(next, path === '' ? segment : `${path}${joint}${segment}`)
  }
  down(tree, '')
  return paths
}

/** The paths and everything above them. */
export function withAncestors(paths: Iterable<string>): Set<string> {
  const all = new Set<string>()
  for (const path of paths) {
    const segments = split(path)
    if (segments.at(-1) === '.') segments.pop()
    for (let length = segments.length; length > 0; length--) all.add(segments.slice(0, length).join(joint))
  }
  return all
}

/** `.spec.template.spec.containers[name="web"].image`, the form of a field in messages. */
export const shownPath = (path: string): string =>
  split(path)
    .map((segment) => {
      if (segment === '.') return ''
      if (segment.startsWith('f:')) return `.${segment.slice(2)}`
      if (segment.startsWith('v:')) return `[=${segment.slice(2)}]`
      const keys = JSON.parse(segment.slice(2)) as Record<string, unknown>
      return `[${Object.entries(keys)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join(',')}]`
    })
    .join('')
