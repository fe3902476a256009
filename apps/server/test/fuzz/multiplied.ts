import { type Schema, type Source, valueOf } from './values.ts'

/** Bodies with multiplied parts: long lists of long lists, dictionaries, texts, and references between parts. */
export interface Growth {
  /** Path of the growing part: `stages.*.jobs.*.matrix.axes`; empty for the whole body. */
  place: string
  /** Returns a body with about so many bytes of JSON; parts that do not grow are as short as possible. */
  grow: (source: Source, bytes: number) => unknown
}

/** Texts that make a regular expression backtrack most if repeated, and followed by another character. */
const texts = ['a', '-', '/', ' ', '.', '*', '\\', '(', 'a.', 'a/', 'a@', 'a=1&', '${outputs.a}']

const branchesOf = (schema: Schema): Schema[] => ((schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined) ?? []
const propertiesOf = (schema: Schema): [string, Schema][] =>
  Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
const itemsOf = (schema: Schema): Schema => (schema['items'] ?? {}) as Schema
const valuesOf = ({ additionalProperties: values }: Schema): Schema | undefined =>
  typeof values === 'object' && values !== null ? (values as Schema) : undefined

const maxText = (schema: Schema): number => Number(schema['maxLength'] ?? Infinity)
const isLong = (schema: Schema): boolean =>
  schema['type'] === 'string' && !('enum' in schema) && !('const' in schema) && maxText(schema) > 1000

const grows = (schema: Schema): boolean =>
  schema['type'] === 'array' ||
  valuesOf(schema) !== undefined ||
  isLong(schema) ||
  branchesOf(schema).some(grows) ||
  propertiesOf(schema).some(([, inner]) => grows(inner))

/** Adds parts until the room or the maximum is used up; each gets the square root of the room. */
function many(most: number, bytes: number, next: (room: number) => unknown): unknown[] {
  const made: unknown[] = []
  const share = Math.sqrt(bytes * 32)
  for (let used = 0; made.length < most && used < bytes;) {
    const one = next(Math.min(share, bytes - used))
    made.push(one)
    used += JSON.stringify(one).length + 1
  }
  return made
}

const drawn = new WeakMap<Schema, unknown[]>()

/** A short value. Texts for a pattern are slow to generate, so a few are reused. */
function short(schema: Schema, source: Source): unknown {
  if (schema['pattern'] === undefined) return valueOf(schema, source)
  const own = drawn.get(schema) ?? []
  drawn.set(schema, own)
  if (own.length < 20) own.push(valueOf(schema, source))
  return source.random.pick(own)
}

/** A value in which everything grows that can. */
function full(schema: Schema, source: Source, bytes: number): unknown {
  if (!grows(schema)) return short(schema, source)
  const branches = branchesOf(schema).filter(grows)
  if (branches.length > 0) return full(source.random.pick(branches), source, bytes)
  if (isLong(schema)) return 'x'.repeat(Math.min(maxText(schema), bytes))
  if (schema['type'] === 'array')
    return many(Number(schema['maxItems'] ?? Infinity), bytes, (room) => full(itemsOf(schema), source, room))
  const values = valuesOf(schema)
  if (values) {
    const entry = (room: number) => [source.fresh(), full(values, source, room)]
    return Object.fromEntries(many(Number(schema['maxProperties'] ?? Infinity), bytes, entry) as [string, unknown][])
  }
  const growing = propertiesOf(schema).filter(([, inner]) => grows(inner))
  return {
    ...(valueOf(schema, source) as object),
    ...Object.fromEntries(growing.map(([name, inner]) => [name, full(inner, source, bytes / growing.length)])),
  }
}

/**
 * One growth for each growing place of a schema: everything below it grows, everything around it occurs once. Schemas
 * in `seen` already have theirs.
 */
export function growths(schema: Schema, seen = new Set<string>(), place = ''): Growth[] {
  const inside = (name: string, inner: Schema, around: (source: Source, value: unknown) => unknown): Growth[] =>
    growths(inner, seen, place === '' ? name : `${place}.${name}`).map((one) => ({
      ...one,
      grow: (source, bytes) => around(source, one.grow(source, bytes)),
    }))
  const branches = branchesOf(schema)
  if (branches.length > 0) return branches.flatMap((branch) => growths(branch, seen, place))
  const key = JSON.stringify(schema)
  if (!grows(schema) || seen.has(key)) return []
  seen.add(key)
  if (isLong(schema))
    return texts.map((text) => ({
      place,
      grow: (_, bytes) => `${text.repeat(Math.min(maxText(schema), bytes) / text.length - 1)}!`,
    }))
  const values = valuesOf(schema)
  return [
    { place, grow: (source, bytes) => full(schema, source, bytes) },
    ...(schema['type'] === 'array' ? inside('*', itemsOf(schema), (_, value) => [value]) : []),
    ...(values ? inside('*', values, (source, value) => ({ [source.fresh()]: value })) : []),
    ...propertiesOf(schema).flatMap(([name, inner]) =>
      inside(name, inner, (source, value) => ({ ...(valueOf(schema, source) as object), [name]: value })),
    ),
  ]
}
