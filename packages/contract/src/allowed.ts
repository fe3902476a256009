import type { z } from 'zod'

/**
 * The values that would have been accepted at the place of an issue, if they can be listed: those of an enum, of a
 * literal, of a union of these, of the key that discriminates a union.
 */
export function allowedAt(issue: z.core.$ZodIssue): readonly unknown[] | undefined {
  if (issue.code === 'invalid_value') return issue.values
  if (issue.code !== 'invalid_union') return undefined
  if ('options' in issue && Array.isArray(issue.options)) return issue.options
  const members = issue.errors.map(([only, ...more]) =>
    only && more.length === 0 && only.path.length === 0 ? allowedAt(only) : undefined,
  )
  return members.length > 0 && members.every((values) => values !== undefined) ? members.flat() : undefined
}
