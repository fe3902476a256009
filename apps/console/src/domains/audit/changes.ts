/** A field that a write changed, by its path, such as `spec.replicas`. Undefined: absent. */
export interface Change {
  path: string
  before: string | undefined
  after: string | undefined
}

type Flat = Map<string, string>

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Values by their path. An empty list is a value, so that emptying a list shows. */
function flatten(value: unknown, path: string, into: Flat): Flat {
  if (typeof value !== 'object' || value === null) {
    if (value !== undefined && (value !== null || path !== '')) into.set(path, toText(value))
    return into
  }
  const entries = Object.entries(value)
  if (entries.length === 0) return path === '' ? into : into.set(path, Array.isArray(value) ? '[]' : '{}')
  // A list of plain values reads better as one.
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null))
    return into.set(path, value.map(toText).join('\n'))
  for (const [name, inner] of entries) flatten(inner, path === '' ? name : `${path}.${name}`, into)
  return into
}

/** The differences, in the order of the fields; for a created or deleted object all fields. */
export function changesBetween(before: unknown, after: unknown): Change[] {
  const [was, is] = [flatten(before, '', new Map()), flatten(after, '', new Map())]
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((path) => ({ path, before: was.get(path), after: is.get(path) }))
    .filter((change) => change.before !== change.after)
}
