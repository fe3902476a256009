export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A copy of an object's own fields without a prototype, because users choose the keys of maps, even `__proto__`. */
export const bareCopy = (value: unknown): Record<string, unknown> =>
  Object.assign(Object.create(null) as Record<string, unknown>, isRecord(value) ? value : {})

/** A map's own value for a key, which may be the name of a property of every object. */
export const ownOf = <T>(map: Record<string, T> | undefined, key: string): T | undefined =>
  map && Object.hasOwn(map, key) ? map[key] : undefined

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

/** Whether two values are the same JSON, whatever the order of keys. */
export const sameValue = (a: unknown, b: unknown): boolean => a === b || canonicalJson(a) === canonicalJson(b)
