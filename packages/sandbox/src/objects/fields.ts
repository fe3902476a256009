import type { FieldTree } from './types.ts'

/**
 * Where lists are maps by key, sets, or one value (the rest), and which maps are one value: the part of Kubernetes'
 * schema that server-side apply needs, by the names of fields. A path is the fields from the object down, list items left out.
 */
export type ListShape = { keys: string[] } | 'set' | 'atomic'

const keyed: Record<string, string[]> = {
  containers: ['name'],
  initContainers: ['name'],
  ephemeralContainers: ['name'],
  env: ['name'],
  volumes: ['name'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
  conditions: ['type'],
  ownerReferences: ['uid'],
  hostAliases: ['ip'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
}

export function listShape(path: readonly string[]): ListShape {
  const [parent, last = ''] = path.slice(-2)
  if (last === 'finalizers' && parent === 'metadata') return 'set'
  if (last === 'ports') {
    if (parent === 'containers' || parent === 'initContainers') return { keys: ['containerPort', 'protocol'] }
    return path.length === 2 && parent === 'spec' ? { keys: ['port', 'protocol'] } : 'atomic'
  }
  if (last === 'imagePullSecrets') return parent === 'spec' ? { keys: ['name'] } : 'atomic'
  if (last === 'secrets' && path.length === 1) return { keys: ['name'] }
  const keys = keyed[last]
  return keys ? { keys } : 'atomic'
}

const atomicMaps = new Set([
  'selector',
  'labelSelector',
  'podSelector',
  'namespaceSelector',
  'nodeSelector',
  'nodeAffinity',
  'roleRef',
  'fieldRef',
  'resourceFieldRef',
  'secretKeyRef',
  'configMapKeyRef',
  'involvedObject',
])
export const isAtomicMap = (path: readonly string[]): boolean => atomicMaps.has(path.at(-1) ?? '')

/** Maps of names that belong to users: they stay while an entry that nobody claimed is in them. */
const openMaps = new Set(['labels', 'annotations', 'data', 'binaryData', 'limits', 'requests', 'hard', 'parameters'])
export const isOpenMap = (path: readonly string[]): boolean => openMaps.has(path.at(-1) ?? '')

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `k:{"name":"web"}`; a port's protocol counts as TCP where it is not said. */
export function keySegment(keys: string[], item: unknown): string {
  const record = isRecord(item) ? item : {}
  const found = [...keys].sort().map((key) => [key, record[key] ?? (key === 'protocol' ? 'TCP' : undefined)])
  return `k:${JSON.stringify(Object.fromEntries(found))}`
}

/** A set of fields: each path, joined, with the value that is there where it is known. */
export type Fields = Map<string, unknown>

const joint = '\u0000'
export const split = (path: string): string[] => path.split(joint)

/** The leaves of a value, and `.` for each item of a keyed list. */
export function fieldsOf(value: unknown): Fields {
  const fields: Fields = new Map()
  walk(value, [], '', fields)
  return fields
}

function walk(value: unknown, path: string[], at: string, fields: Fields): void {
  const down = (segment: string): string => (at === '' ? segment : `${at}${joint}${segment}`)
  if (value === undefined || value === null) return
  if (Array.isArray(value) && value.length > 0) {
    const shape = listShape(path)
    if (shape === 'set') for (const item of value) fields.set(down(`v:${JSON.stringify(item)}`), item)
    else if (shape === 'atomic') fields.set(at, value)
    else
      for (const item of value as unknown[]) {
        const next = down(keySegment(shape.keys, item))
        fields.set(`${next}${joint}.`, undefined)
        if (isRecord(item))
          for (const [name, one] of Object.entries(item)) walk(one, [...path, name], `${next}${joint}f:${name}`, fields)
      }
    return
  }
  if (isRecord(value) && !isAtomicMap(path) && Object.keys(value).length > 0) {
    for (const [name, one] of Object.entries(value)) walk(one, [...path, name], down(`f:${name}`), fields)
    return
  }
  if (at !== '') fields.set(at, value)
}

export function toTree(paths: Iterable<string>): FieldTree {
  const root: FieldTree = {}
  for (const path of paths) {
    let at = root
    for (const segment of split(path)) at = at[segment] ??= {}
  }
  return root
}

export function fromTree(tree: FieldTree): Set<string> {
  const paths = new Set<string>()
  const down = (at: FieldTree, path: string): void => {
    const entries = Object.entries(at)
    if (entries.length === 0 && path !== '') paths.add(path)
    for (const [segment, next] of entries) down(next, path === '' ? segment : `${path}${joint}${segment}`)
  }
  down(tree, '')
  return paths
}

/** The paths and everything above them. */
export function withAncestors(paths: Iterable<string>): Set<string> {
  const all = new Set<string>()
  for (const path of paths) {
    const segments = split(path)
    if (segments.at(-1) === '.') segments.pop()
    for (let length = segments.length; length > 0; length--) all.add(segments.slice(0, length).join(joint))
  }
  return all
}

/** `.spec.template.spec.containers[name="web"].image`, as messages name a field. */
export const shownPath = (path: string): string =>
  split(path)
    .map((segment) => {
      if (segment === '.') return ''
      if (segment.startsWith('f:')) return `.${segment.slice(2)}`
      if (segment.startsWith('v:')) return `[=${segment.slice(2)}]`
      const keys = JSON.parse(segment.slice(2)) as Record<string, unknown>
      return `[${Object.entries(keys)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join(',')}]`
    })
    .join('')
