import { type Document, isMap, isPair, isScalar, parseDocument, stringify, visit } from 'yaml'

/** The part of a JSON Schema that completion reads. */
export interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  oneOf?: readonly Schema[]
  anyOf?: readonly Schema[]
  allOf?: readonly Schema[]
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  description?: string
}

/** A key of the schema. */
export interface Known {
  /** Keys from the root, without indexes; for a union's member also its `type`: `steps.script.run`. */
  path: string
  required: boolean
  /** The allowed values, if they can be listed. */
  values: readonly unknown[]
  schema: Schema
}

export interface Completion extends Known {
  label: string
  /** The inserted text. */
  text: string
  /** Absent for a key. */
  value?: string
}

export interface Completions {
  from: number
  to: number
  options: readonly Completion[]
}

/** A place in a document, with its schemas: several if a union is undecided. */
interface SchemaPlace {
  path: string
  required?: boolean
  schemas: readonly Schema[]
}

const partsOf = (schema: Schema): readonly Schema[] => {
  const parts = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]
  return parts.length === 0 ? [schema] : parts.flatMap(partsOf)
}

const under = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

/** The keys that discriminate a union, such as `type: script`. */
const tagsOf = (schema: Schema): [string, string][] =>
  Object.entries(schema.properties ?? {}).flatMap(([key, { const: value }]): [string, string][] =>
    typeof value === 'string' ? [[key, value]] : [],
  )

/** Keeps the members of a union that match the map's tag; all of them if it has none. */
function decide({ path, schemas }: SchemaPlace, map: unknown): SchemaPlace {
  const all = schemas.flatMap(partsOf)
  const isSaid = ([key, value]: [string, string]): boolean => isMap(map) && map.get(key) === value
  const left = all.filter((schema) => tagsOf(schema).some(isSaid))
  const [tag] = left.flatMap((schema) => tagsOf(schema).filter(isSaid))
  return tag ? { path: under(path, tag[1]), schemas: left } : { path, schemas: all }
}

/** The keys of a map; for an undecided union those that all its members have, including their tag. */
function keysOf({ path, schemas }: SchemaPlace): ReadonlyMap<string, Required<SchemaPlace>> {
  const maps = schemas.filter(({ properties }) => properties)
  const undecided = maps.length > 1 && maps.every((schema) => tagsOf(schema).length > 0)
  const names = new Set(maps.flatMap(({ properties }) => Object.keys(properties ?? {})))
  return new Map(
    [...names].flatMap((name) => {
      const found = maps.flatMap(({ properties }) => properties?.[name] ?? [])
      const required = maps.every((schema) => schema.required?.includes(name))
      const isOf = !undecided || found.length === maps.length
      return isOf ? [[name, { path: under(path, name), required, schemas: found }]] : []
    }),
  )
}

/** The place at the end of a path of nodes from the root. */
const placeOf = (schema: Schema, nodes: readonly unknown[]): SchemaPlace =>
  nodes.reduce<SchemaPlace>(
    (place, node) => {
      if (isMap(node)) return decide(place, node)
      if (!isPair(node)) return place
      const name = String(isScalar(node.key) ? node.key.value : node.key)
      const others = place.schemas.map(({ additionalProperties }) => additionalProperties)
      const { path, schemas } = keysOf(place).get(name) ?? {
        path: under(place.path, name),
        schemas: others.filter((other) => typeof other === 'object'),
      }
      return { path, schemas: schemas.flatMap(partsOf).flatMap((one) => one.items ?? one) }
    },
    { path: '', schemas: [schema] },
  )

const valuesOf = ({ schemas }: SchemaPlace): unknown[] => {
  const all = schemas.flatMap(partsOf).flatMap((one) => {
    if ('const' in one) return [one.const]
    return one.enum ?? (one.type === 'boolean' ? [true, false] : [])
  })
  return [...new Set(all)].filter((value) => value !== '')
}

const toKnown = (place: SchemaPlace): Known => ({
  path: place.path,
  required: place.required ?? false,
  values: valuesOf(place),
  schema: place.schemas.find(({ description }) => description !== undefined) ?? place.schemas[0] ?? {},
})

const parse = (text: string): Document => parseDocument(text, { uniqueKeys: false, prettyErrors: false })

/** Stands for the word at the cursor: a private-use character, which nobody types. */
const mark = '\u{f8ff}'

/** A word alone on its line is a key that is being typed; the parser would join it with adjacent lines. */
const withColons = (text: string): string => text.replaceAll(/^( *)([A-Za-z]\w*)[ \t]*$/gm, '$1$2:')

/** The completions at an offset of a text: keys that its map does not have yet, or values of its key. */
export function completionsAt(text: string, offset: number, schema: Schema): Completions | undefined {
  const from = offset - (/[\w-]*$/.exec(text.slice(0, offset))?.[0].length ?? 0)
  const to = offset + (/^[\w-]*/.exec(text.slice(offset))?.[0].length ?? 0)
  const start = text.lastIndexOf('\n', from - 1) + 1
  const before = text.slice(start, from)
  const after = /^.*/.exec(text.slice(to))?.[0] ?? ''
  const begins = /^ *(- +)*$/.test(before)
  const hasColon = /^ *:/.test(after)
  const line = `${before}${mark}${begins && !hasColon ? ':' : ''}${after}`
  const document = parse(`${withColons(text.slice(0, start))}${line}${withColons(text.slice(to + after.length))}`)
  let options: Completion[] = []
  visit(document, {
    Scalar(role, { value }, nodes) {
      if (value !== mark) return undefined
      if (role !== 'key') options = valuesAt(placeOf(schema, nodes))
      else {
        const map = nodes.at(-2)
        const place = placeOf(schema, nodes.slice(0, -2))
        // A value on a new line looks like a key.
        const ending = hasColon ? () => '' : (key: SchemaPlace) => endingOf(key, begins ? before.length : undefined)
        options = [...keysAt(decide(place, map), map, ending), ...valuesAt(place)]
      }
      return visit.BREAK
    },
  })
  return options.length === 0 ? undefined : { from, to, options }
}

/** The text after a key: a space for its value, or a new line with the beginning of its content. */
function endingOf({ schemas }: SchemaPlace, indent: number | undefined): string {
  const types = schemas.flatMap(partsOf).map(({ type }) => type)
  if (indent === undefined || !types.every((type) => type === 'array' || type === 'object')) return ': '
  return `:\n${' '.repeat(indent + 2)}${types.includes('array') ? '- ' : ''}`
}

function keysAt(place: SchemaPlace, map: unknown, ending: (key: SchemaPlace) => string): Completion[] {
  const taken = new Set(isMap(map) ? map.items.map(({ key }) => (isScalar(key) ? key.value : key)) : [])
  return [...keysOf(place)]
    .filter(([name]) => !taken.has(name))
    .map(([name, key]) => ({ ...toKnown(key), label: name, text: `${name}${ending(key)}` }))
}

const valuesAt = (place: SchemaPlace): Completion[] =>
  valuesOf(place).map((value) => ({
    ...toKnown(place),
    label: String(value),
    text: stringify(value).trimEnd(),
    value: String(value),
  }))

/** The key at an offset of a text, with its schema, and its position. */
export function keyAt(
  text: string,
  offset: number,
  schema: Schema,
): (Known & { from: number; to: number }) | undefined {
  let found: (Known & { from: number; to: number }) | undefined
  visit(parse(text), {
    Pair(_, { key }, nodes) {
      if (!isScalar(key) || !key.range || offset < key.range[0] || offset > key.range[1]) return undefined
      const place = keysOf(placeOf(schema, nodes)).get(String(key.value))
      if (place) found = { ...toKnown(place), from: key.range[0], to: key.range[1] }
      return visit.BREAK
    },
  })
  return found
}
