import { Definition } from '@gantry/contract/pipelines/definition'
import { z } from 'zod'
import { isObject } from '../../../kernel/json.ts'

/** The original order of keys, by the path of their object: `stages.0.jobs.0.matrix.axes`. */
const KeyOrder = z.record(z.string(), z.array(z.string()))
type KeyOrder = z.infer<typeof KeyOrder>

const under = (path: string, key: string | number): string => (path === '' ? `${key}` : `${path}.${key}`)

const byStorage = ([a]: [string, unknown], [b]: [string, unknown]): number =>
  Buffer.byteLength(a) - Buffer.byteLength(b) || Buffer.compare(Buffer.from(a), Buffer.from(b))

/** PostgreSQL orders the keys of a jsonb object by their length, then by their bytes. */
export const asStored = <V>(value: Record<string, V>): Record<string, V> =>
  Object.fromEntries(Object.entries(value).toSorted(byStorage))

function allAsStored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(allAsStored)
  if (!isObject(value)) return value
  return asStored(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, allAsStored(inner)])))
}

function* differences(written: unknown, read: unknown, path = ''): Generator<[path: string, keys: string[]]> {
  if (Array.isArray(written) && Array.isArray(read))
    for (const [at, one] of written.entries()) yield* differences(one, read[at], under(path, at))
  if (!isObject(written) || !isObject(read)) return
  const keys = Object.keys(written)
  if (JSON.stringify(keys) !== JSON.stringify(Object.keys(read))) yield [path, keys]
  for (const key of keys) yield* differences(written[key], read[key], under(path, key))
}

/** The order of keys that jsonb would lose: only that of dictionaries, since the schema orders all other objects. */
export const orderOf = (definition: Definition): KeyOrder =>
  Object.fromEntries(differences(definition, Definition.parse(allAsStored(definition))))

/**
 * A stored definition in its original order. Keys without an order come last: the previous release writes definitions
 * without it.
 */
export const inOrder = (definition: Definition, order: unknown): Definition => {
  const kept = new Map(Object.entries(KeyOrder.parse(order)))
  return kept.size === 0 ? definition : (arranged(definition, kept, '') as Definition)
}

function arranged(value: unknown, kept: ReadonlyMap<string, readonly string[]>, path: string): unknown {
  if (Array.isArray(value)) return value.map((one, at) => arranged(one, kept, under(path, at)))
  if (!isObject(value)) return value
  const entries = Object.entries(withKeysFirst(value, kept.get(path) ?? []))
  return Object.fromEntries(entries.map(([key, inner]) => [key, arranged(inner, kept, under(path, key))]))
}

/** The value with these keys first, in their order, as far as it has them, and its other keys after them. */
export function withKeysFirst<V>(value: Record<string, V>, keys: readonly string[]): Record<string, V> {
  const places = new Map(keys.map((key, place) => [key, place]))
  const placeOf = ([key]: [string, V]): number => places.get(key) ?? keys.length
  return Object.fromEntries(Object.entries(value).toSorted((a, b) => placeOf(a) - placeOf(b)))
}
