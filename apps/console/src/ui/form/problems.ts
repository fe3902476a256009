import type { core, z } from 'zod'
import { allowedAt } from '@gantry/contract/allowed'
import { isPhrase, t, type Vars } from '../../api/language.ts'

/** Blank texts count as absent: an optional field left empty is omitted, and a required one is missing. */
export function withoutBlanks(value: unknown): unknown {
  if (value === '') return undefined
  if (Array.isArray(value)) return value.map(withoutBlanks)
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]): [string, unknown] => [key, withoutBlanks(inner)])
      .filter(([, inner]) => inner !== undefined),
  )
}

/** The text of a schema's issue: the contract's own phrase, otherwise a general one for its kind. */
export function wordsOfIssue(issue: core.$ZodIssue, missing: boolean): string {
  if (isPhrase(issue.message)) return t(issue.message, issue as unknown as Vars)
  if (missing) return t('field-required')
  const allowed = allowedAt(issue)
  if (allowed) return t('field-one-of', { values: allowed.join(', ') })
  switch (issue.code) {
    case 'too_small':
      return sized(issue.origin, 'small', { minimum: Number(issue.minimum) })
    case 'too_big':
      return sized(issue.origin, 'big', { maximum: Number(issue.maximum) })
    case 'invalid_format':
      return t('field-format', { format: issue.format })
    default:
      return t('field-invalid')
  }
}

function sized(origin: string, side: 'small' | 'big', vars: Vars): string {
  if (origin === 'string') return t(side === 'small' ? 'field-too-short' : 'field-too-long', vars)
  if (origin === 'array' || origin === 'set') return t(side === 'small' ? 'field-too-few' : 'field-too-many', vars)
  return t(side === 'small' ? 'field-too-small' : 'field-too-big', vars)
}

export type Path = readonly (string | number)[]

const valueAt = (values: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined | null)?.[key], values)

/** The schema's problem with the value at a path, given the other values, including rules about several fields. */
export function problemAt(schema: z.ZodType, values: unknown, path: Path): string | undefined {
  const given = withoutBlanks(values) ?? {}
  const result = schema.safeParse(given)
  if (result.success) return undefined
  const issue = result.error.issues.find(
    (one) => one.path.length >= path.length && path.every((key, at) => String(one.path[at]) === String(key)),
  )
  if (issue) return wordsOfIssue(issue, valueAt(given, issue.path) === undefined)
  // The issue is about the missing parent of the field, not about the field itself.
  const part = result.error.issues.find(
    (one) =>
      one.path.length > 0 &&
      one.path.every((key, at) => String(path[at]) === String(key)) &&
      valueAt(given, one.path) === undefined,
  )
  return part && isRequired(schema, path) ? t('field-required') : undefined
}

/** The schema of one key; descends into lists, and through wrappers such as optional and default. */
function schemaAt(schema: unknown, key: string | number): unknown {
  const at = schema as { shape?: Record<string, unknown>; element?: unknown; unwrap?: () => unknown }
  if (at.shape !== undefined) return at.shape[String(key)]
  // A list also unwraps to its element, so it is checked first.
  if (at.element !== undefined) return at.element
  return typeof at.unwrap === 'function' ? schemaAt(at.unwrap(), key) : undefined
}

/** Whether a schema requires this field. */
export function isRequired(schema: z.ZodType, path: Path): boolean {
  let at: unknown = schema
  for (const key of path) {
    at = schemaAt(at, key)
    if (at === undefined) return false
  }
  return !(at as z.ZodType).safeParse(undefined).success
}
