export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  )
}

/** JSON text that does not depend on the order of keys. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value)) ?? ''

/** Whether two values would be the same JSON, whatever the order of their keys. */
export const sameValue = (a: unknown, b: unknown): boolean => a === b || canonicalJson(a) === canonicalJson(b)
