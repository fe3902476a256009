import { z } from 'zod'

/**
 * Declares a field of a body as secret: `password: secret(z.string().max(200))`. Its value appears in no audit row and
 * no log line. In a pair `{ name, value, secret }` the value is secret if `secret` is true, without a declaration.
 */
export const secret = <S extends z.ZodType>(schema: S): S => schema.meta({ secret: true, format: 'password' })

/** Returns every secret text in a value of its schema. */
type FindSecrets = (value: unknown) => string[]

const none: FindSecrets = () => []

const textOf: FindSecrets = (value) => (typeof value === 'string' && value !== '' ? [value] : [])

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const ofPair: FindSecrets = (pair) => (isRecord(pair) && pair['secret'] === true ? textOf(pair['value']) : [])

const each =
  (find: FindSecrets): FindSecrets =>
  (list) =>
    Array.isArray(list) ? list.flatMap((one) => find(one)) : []

function ofFields(shape: Record<string, z.core.$ZodType>): FindSecrets {
  const finds = Object.entries(shape).flatMap(([name, inner]): FindSecrets[] => {
    const find = finderOf(inner)
    return find === none ? [] : [(value) => (isRecord(value) ? find(value[name]) : [])]
  })
  if (shape['value'] !== undefined && shape['secret'] !== undefined) finds.push(ofPair)
  return allOf(finds)
}

function allOf(finds: readonly FindSecrets[]): FindSecrets {
  const some = finds.filter((find) => find !== none)
  return some.length === 0 ? none : (value) => some.flatMap((find) => find(value))
}

const ofAny = (schemas: readonly z.core.$ZodType[]): FindSecrets => allOf(schemas.map(finderOf))

function finderOf(schema: z.core.$ZodType): FindSecrets {
  if (z.globalRegistry.get(schema)?.['secret'] === true) return textOf
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return ofFields(def.shape)
    case 'array': {
      const find = finderOf(def.element)
      return find === none ? none : each(find)
    }
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'catch':
    case 'readonly':
      return finderOf(def.innerType)
    case 'pipe':
      return ofAny([def.in, def.out])
    case 'union':
      return ofAny(def.options)
    case 'intersection':
      return ofAny([def.left, def.right])
    default:
      return none
  }
}

const finders = new WeakMap<z.core.$ZodType, FindSecrets>()

/**
 * Every secret text in a value of the schema. The declarations of a schema are collected once: a call pays only for its
 * own secrets.
 */
export function secretsIn(schema: z.core.$ZodType, value: unknown): string[] {
  const find = finders.get(schema) ?? finderOf(schema)
  finders.set(schema, find)
  return find(value)
}
