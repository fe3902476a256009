import type { Kind } from './kinds.ts'
import { parseQuantity } from './quantity.ts'
import { isRecord } from './record.ts'
import { entryType, rootType, structOf, type Scalar, type Type } from './schema.ts'
import { badRequest } from './status.ts'

export interface Decoded {
  object: Record<string, unknown>
  /** Paths of fields that the type does not have, such as `spec.template.spec.containers[0].imag`. They are removed. */
  unknown: string[]
}

const goTypes: Record<Scalar, string> = {
  s: 'string',
  i: 'int32',
  l: 'int64',
  n: 'float64',
  b: 'bool',
  q: 'resource.Quantity',
  o: 'intstr.IntOrString',
  t: 'v1.Time',
  y: '[]uint8',
  x: 'interface {}',
}

/** Go's name of a type in error messages. */
function goType(type: Type): string {
  if (type.kind === 'struct') return type.name.split('.').slice(-2).join('.')
  if (type.kind === 'map') return `map[string]${goType(type.item)}`
  if (type.kind === 'list') return `[]${goType(type.item)}`
  return goTypes[type.code]
}

const jsonType = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value

const fits = (code: Scalar, value: unknown): boolean => {
  switch (code) {
    case 's':
    case 'y':
    case 't':
      return typeof value === 'string'
    case 'i':
    case 'l':
      return Number.isInteger(value)
    case 'n':
      return typeof value === 'number'
    case 'b':
      return typeof value === 'boolean'
    case 'o':
      return typeof value === 'string' || Number.isInteger(value)
    case 'q':
      return typeof value === 'string' || typeof value === 'number'
    default:
      return true
  }
}

interface Walk {
  kind: Kind
  unknown: string[]
}

/** The position of a value: the struct around it, and the path to it with and without list indexes. */
interface FieldPath {
  struct: string
  plain: string
  shown: string
}

function refuse({ kind }: Walk, why: string): never {
  throw badRequest(`${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${why}`)
}

function mismatch(walk: Walk, place: FieldPath, value: unknown, type: Type): never {
  refuse(
    walk,
    `json: cannot unmarshal ${jsonType(value)} into Go struct field ${place.struct}.${place.plain} of type ${goType(type)}`,
  )
}

function scalar(walk: Walk, place: FieldPath, value: unknown, type: Extract<Type, { kind: 'scalar' }>): unknown {
  const { code } = type
  if (!fits(code, value)) mismatch(walk, place, value, type)
  if (code === 'q') {
    if (!parseQuantity(value as string))
      refuse(walk, "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")
    return String(value)
  }
  if (code === 't' && Number.isNaN(Date.parse(value as string)))
    refuse(
      walk,
      `parsing time "${String(value)}" as "2006-01-02T15:04:05Z07:00": cannot parse "${String(value)}" as "2006"`,
    )
  if (code === 'y' && !/^[A-Za-z0-9+/\r\n]*={0,2}$/.test(value as string))
    refuse(walk, 'illegal base64 data at input byte 0')
  return value
}

/** Answers undefined for values that need not be stored: null, and empty optional lists and maps. */
function decodeValue(walk: Walk, place: FieldPath, value: unknown, type: Type): unknown {
  if (value === null || value === undefined) return undefined
  if (type.kind === 'scalar') return scalar(walk, place, value, type)
  if (type.kind === 'list') {
    if (!Array.isArray(value)) mismatch(walk, place, value, type)
    return (value as unknown[]).map((item, n) =>
      decodeValue(walk, { ...place, shown: `${place.shown}[${n}]` }, item, type.item),
    )
  }
  if (!isRecord(value)) mismatch(walk, place, value, type)
  if (type.kind === 'map') {
    const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
      key,
      decodeValue(walk, { ...place, shown: `${place.shown}.${key}` }, item, type.item),
    ])
    return Object.fromEntries(entries.filter(([, item]) => item !== undefined))
  }
  return decodeStruct(walk, place, value, type.name)
}

function decodeStruct(
  walk: Walk,
  place: FieldPath,
  value: Record<string, unknown>,
  name: string,
): Record<string, unknown> {
  const { fields, required } = structOf(name)
  const struct = name.split('.').at(-1) ?? ''
  const decoded: Record<string, unknown> = {}
  for (const [field, one] of Object.entries(value)) {
    const type = fields.get(field)
    const join = (path: string): string => (path === '' ? field : `${path}.${field}`)
    if (!type) {
      walk.unknown.push(join(place.shown))
      continue
    }
    const next = decodeValue(walk, { struct, plain: join(place.plain), shown: join(place.shown) }, one, type)
    const empty =
      (Array.isArray(next) && next.length === 0) ||
      (type.kind === 'map' && isRecord(next) && Object.keys(next).length === 0)
    if (next !== undefined && !(empty && !required.has(field))) decoded[field] = next
  }
  return decoded
}

/** Decodes JSON as an object of this kind, as the real server's types would. Answers a copy. */
export function decode(kind: Kind, given: Record<string, unknown>): Decoded {
  const walk: Walk = { kind, unknown: [] }
  const root = rootType(kind.resource)
  const name = root.kind === 'struct' ? root.name : ''
  const object = decodeStruct(walk, { struct: kind.kind, plain: '', shown: '' }, given, name)
  return { object, unknown: walk.unknown }
}

/** The first part of an apply configuration that violates its schema, in the real server's words. */
export function schemaFault(kind: Kind, given: unknown): string | undefined {
  return fault(given, rootType(kind.resource), '')
}

const expectations: Partial<Record<Scalar, string>> = {
  s: 'string',
  y: 'string',
  t: 'string',
  i: 'numeric (int or float)',
  l: 'numeric (int or float)',
  n: 'numeric (int or float)',
  b: 'boolean',
}

const yamlType = (value: unknown): string =>
  isRecord(value) ? 'map' : Array.isArray(value) ? 'list' : typeof value === 'number' ? 'int' : jsonType(value)

function fault(value: unknown, type: Type, at: string): string | undefined {
  if (value === null || value === undefined) return undefined
  if (type.kind === 'scalar') {
    const expected = expectations[type.code]
    return expected === undefined || fits(type.code, value)
      ? undefined
      : `${at}: expected ${expected}, got ${yamlType(value)}`
  }
  if (type.kind === 'list') {
    if (!Array.isArray(value)) return `${at}: expected list, got ${yamlType(value)}`
    for (const [n, item] of (value as unknown[]).entries()) {
      const keyed =
        Array.isArray(type.keys) && isRecord(item)
          ? type.keys.map((key) => `${key}=${JSON.stringify(item[key])}`)
          : undefined
      const found = fault(item, type.item, `${at}[${keyed?.join(',') ?? n}]`)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (!isRecord(value)) return `${at}: expected map, got ${yamlType(value)}`
  for (const [name, one] of Object.entries(value)) {
    const next = entryType(type, name)
    if (!next) return `${at}.${name}: field not declared in schema`
    const found = fault(one, next, `${at}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}
