import type { FieldDifference } from '@gantry/contract/pipelines/editing/versions'
import { isObject } from '../../../kernel/json.ts'

/** Whether a value is a list of items with unique names: such items are compared by name, in any order. */
const isNamed = (value: unknown): value is { name: string }[] =>
  Array.isArray(value) &&
  value.every((one) => isObject(one) && typeof one['name'] === 'string') &&
  new Set(value.map((one: { name: string }) => one.name)).size === value.length

const textOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value)

const byName = (list: { name: string }[]): Record<string, unknown> =>
  Object.fromEntries(list.map(({ name, ...rest }) => [name, rest]))

/** The values in which two documents differ: first in the order of the old one, then what is new. */
export function differences(before: unknown, after: unknown, path = ''): FieldDifference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  if (isNamed(before) && isNamed(after)) {
    const inside = differences(byName(before), byName(after), path)
    if (inside.length > 0) return inside
    // the same items in another order
    const order = (list: { name: string }[]) => list.map(({ name }) => name).join(', ')
    return [{ path, before: order(before), after: order(after) }]
  }
  if (!isObject(before) || !isObject(after)) return [{ path, before: textOf(before), after: textOf(after) }]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    differences(before[key], after[key], path === '' ? key : `${path}.${key}`),
  )
}
