import { readFileSync } from 'node:fs'

/** The type of a value: what may be in it, and how server-side apply merges it. */
export type Type =
  | { kind: 'scalar'; code: Scalar }
  /** An atomic one is replaced whole. */
  | { kind: 'struct'; name: string; atomic: boolean }
  | { kind: 'map'; item: Type; atomic: boolean }
  /** A list by keys, a set, or one value. */
  | { kind: 'list'; item: Type; keys: string[] | 'set' | 'atomic' }

/** s text, i and l whole numbers, n number, b boolean, q quantity, o whole number or text, t moment, y bytes, x anything. */
export type Scalar = 's' | 'i' | 'l' | 'n' | 'b' | 'q' | 'o' | 't' | 'y' | 'x'

export interface Struct {
  fields: Map<string, Type>
  required: Set<string>
}

interface Source {
  roots: Record<string, string>
  defs: Record<string, { f: Record<string, string>; r?: string[] }>
}

/** Written by scripts/make-schema.ts from a real cluster. */
const source = JSON.parse(readFileSync(new URL('schema.gen.json', import.meta.url), 'utf8')) as Source

/** `@a.v1.B` a struct, `!@…` an atomic one, `[]T` a list, `[k,l]T` one by keys, `[=]T` a set, `{}T` a map, `{!}T` an atomic one. */
function parse(text: string): Type {
  const found = /^(?:(!?)@(.+)|\[([^\]]*)\](.+)|\{(!?)\}(.+)|(.))$/.exec(text)
  const [, atomic, name, keys, item, whole, value, code] = found ?? []
  if (name !== undefined) return { kind: 'struct', name, atomic: atomic === '!' }
  if (item !== undefined)
    return { kind: 'list', item: parse(item), keys: keys === '=' ? 'set' : keys ? keys.split(',') : 'atomic' }
  if (value !== undefined) return { kind: 'map', item: parse(value), atomic: whole === '!' }
  return { kind: 'scalar', code: (code ?? 'x') as Scalar }
}

const structs = new Map<string, Struct>()

export function structOf(name: string): Struct {
  let struct = structs.get(name)
  if (!struct) {
    const { f = {}, r = [] } = source.defs[name] ?? {}
    const fields = new Map(Object.entries(f).map(([field, text]) => [field, parse(text)]))
    structs.set(name, (struct = { fields, required: new Set(r) }))
  }
  return struct
}

/** The type of a resource's objects. */
export const rootType = (resource: string): Type => ({
  kind: 'struct',
  name: source.roots[resource] ?? '',
  atomic: false,
})

/** The type of an entry; undefined for a field that the type does not know. */
export function entryType(type: Type | undefined, name: string): Type | undefined {
  if (type?.kind === 'struct') return structOf(type.name).fields.get(name)
  return type?.kind === 'map' ? type.item : undefined
}
