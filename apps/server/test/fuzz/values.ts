import fc from 'fast-check'
import type { Random } from './random.ts'

/** JSON Schema, as in the API reference. */
export type Schema = Record<string, unknown>

export interface Source {
  random: Random
  /** A known value for this path, from the pool or an outside system. */
  known: (path: readonly string[]) => unknown
  /** A name that is not used yet. */
  fresh: () => string
  /** A text that must never be shown. */
  secret: () => string
  /** Probability of an optional field. */
  optional: number
}

/** A closed port on loopback, so that no call leaves this machine or waits for long. */
export const nowhere = '127.0.0.1:1'

const samples = [
  'alpha',
  'x1',
  '0',
  '1',
  '64Mi',
  '250m',
  '0.25',
  '/a/b',
  'a=1&b=2',
  'mail@gantry.example',
  '10.20.0.7',
  'refs-heads',
  `http://${nowhere}/x`,
  `ldap://${nowhere}`,
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  '2026-01-02T03:04:05.000Z',
]

const patternOf = (text: string): RegExp | undefined => {
  for (const flags of ['u', ''])
    try {
      return new RegExp(text, flags)
    } catch {
      // zod writes some patterns for one mode and some for the other
    }
  return undefined
}

function textOf(schema: Schema, { random, fresh }: Source): string {
  const { minLength = 0, maxLength = 100 } = schema as { minLength?: number; maxLength?: number }
  const pattern = typeof schema['pattern'] === 'string' ? patternOf(schema['pattern']) : undefined
  const fits = (text: string) =>
    text.length >= minLength && text.length <= maxLength && (pattern === undefined || pattern.test(text))
  if (pattern === undefined && random.chance(0.1)) return 'é日本🙂 '.repeat(1 + random.int(8)).slice(0, maxLength)
  const name = fresh()
  if (fits(name)) return name
  const good = samples.filter(fits)
  if (good.length > 0) return random.pick(good)
  if (pattern === undefined) return 'x'.repeat(minLength)
  try {
    return fc.sample(fc.stringMatching(pattern), { seed: random.int(2 ** 31), numRuns: 1 })[0] ?? ''
  } catch {
    return name
  }
}

function numberOf(schema: Schema, { random }: Source): number {
  const { minimum = 0, maximum = 1_000_000 } = schema as { minimum?: number; maximum?: number }
  const low = Number(schema['exclusiveMinimum'] ?? minimum)
  if (random.chance(0.1)) return random.pick([low, Math.min(maximum, Number.MAX_SAFE_INTEGER)])
  return Math.min(maximum, Math.max(low, 0) + 1 + random.int(3))
}

/** A value that is valid by the JSON Schema; the caller checks zod's refinements. */
export function valueOf(schema: Schema, source: Source, path: readonly string[] = []): unknown {
  const { random } = source
  const known = source.known(path)
  if (known !== undefined) return known
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return random.pick(schema['enum'])
  const branches = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined
  if (branches) return valueOf(random.pick(branches), source, path)
  switch (schema['type']) {
    case 'object':
      return objectOf(schema, source, path)
    case 'array': {
      const least = Number(schema['minItems'] ?? 0)
      const length = Math.min(Number(schema['maxItems'] ?? 3), least + random.int(3))
      return Array.from({ length }, (_, at) => valueOf(schema['items'] as Schema, source, [...path, String(at)]))
    }
    case 'string':
      return textOf(schema, source)
    case 'integer':
    case 'number':
      return numberOf(schema, source)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    default:
      return random.pick([1, 'text', true, null])
  }
}

function objectOf(schema: Schema, source: Source, path: readonly string[]): Record<string, unknown> {
  const { random } = source
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
  const required = (schema['required'] ?? []) as string[]
  const object = Object.fromEntries(
    properties
      .filter(([name]) => required.includes(name) || random.chance(source.optional))
      .map(([name, inner]) => [name, valueOf(inner, source, [...path, name])]),
  )
  const more = schema['additionalProperties']
  if (properties.length === 0 && typeof more === 'object' && more !== null && random.chance(0.7))
    object[source.fresh()] = valueOf(more as Schema, source, [...path, '*'])
  // the field beside the value marks a variable as secret
  if (object['secret'] === true && 'value' in object) object['value'] = source.secret()
  return object
}
