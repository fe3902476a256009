import type { z } from 'zod'

/**
 * The values that would have been accepted in the place of an issue, where these are few: those of an enum, of a literal,
 * of a union of such, of the key that tells the members of a union apart.
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
