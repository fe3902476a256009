import { z } from 'zod'
import { takes } from './validators.ts'

/** A schema without its wrappers: optional, default, transformation. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodTypes {
  const one = schema as z.core.$ZodTypes
  const { def } = one._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'catch':
    case 'readonly':
      return unwrapped(def.innerType)
    case 'lazy':
      return unwrapped(def.getter())
    case 'pipe':
      return unwrapped((def.in as z.core.$ZodTypes)._zod.def.type === 'transform' ? def.out : def.in)
    default:
      return one
  }
}

/** Maximum characters of a text, items of a list, or keys of a record (its `maxProperties`): Infinity if unbounded. */
export function mostIn(schema: z.core.$ZodTypes): number {
  const limits = ((schema._zod.def.checks ?? []) as z.core.$ZodChecks[]).map(({ _zod: { def } }) =>
    def.check === 'max_length' ? def.maximum : def.check === 'length_equals' ? def.length : Infinity,
  )
  return Math.min(...limits, Number(z.globalRegistry.get(schema)?.['maxProperties'] ?? Infinity))
}

/** The longest form of a character in JSON: `\u0001`. */
const escaped = 6
const number = 25
const moment = 40
const moments = new Set(['date', 'datetime', 'time'])

const longestOf = (values: readonly unknown[]): number =>
  Math.max(...values.map((value) => String(JSON.stringify(value)).length))

/** Bytes of the longest JSON text that a schema accepts, without white space: Infinity if a part is unbounded. */
export function longestJson(schema: z.core.$ZodType): number {
  const inner = unwrapped(schema)
  const { def } = inner._zod
  switch (def.type) {
    case 'string': {
      const own = 'format' in def && moments.has(String(def.format)) ? moment : Infinity
      return 2 + escaped * Math.min(own, mostIn(inner))
    }
    case 'number':
      return number
    case 'boolean':
    case 'null':
      return 5
    case 'literal':
      return longestOf(def.values)
    case 'enum':
      return longestOf(Object.values(def.entries))
    case 'array':
      return 2 + mostIn(inner) * (1 + longestJson(def.element))
    case 'object': {
      const parts = Object.entries(def.shape).map(([key, value]) => key.length + 4 + longestJson(value))
      return parts.reduce((sum, part) => sum + part, 2)
    }
    case 'record':
      return 2 + mostIn(inner) * (2 + longestJson(def.keyType) + longestJson(def.valueType))
    case 'union':
      return Math.max(...def.options.map(longestJson))
    case 'intersection':
      return longestJson(def.left) + longestJson(def.right)
    case 'custom': {
      const taken = takes.get(inner)
      return taken ? longestJson(taken) : Infinity
    }
    default:
      return Infinity
  }
}
