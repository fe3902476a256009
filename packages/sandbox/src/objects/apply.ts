import { fieldsOf, fromTree, keySegment, shownPath, split, toTree, withAncestors, type Fields } from './fields.ts'
import { apiVersionOf, type Kind } from './kinds.ts'
import { bareCopy, isRecord, sameValue } from './record.ts'
import { entryType, rootType, type Type } from './schema.ts'
import { ApiError } from './status.ts'
import type { ManagedFields, Obj } from './types.ts'

/** Fields of the server, which have no manager. */
const unmanaged = new Set(
  [
    'apiVersion',
    'kind',
    'metadata',
    'metadata.name',
    'metadata.namespace',
    'metadata.uid',
    'metadata.resourceVersion',
    'metadata.generation',
    'metadata.creationTimestamp',
    'metadata.deletionTimestamp',
    'metadata.deletionGracePeriodSeconds',
    'metadata.managedFields',
    'metadata.selfLink',
  ].map((path) =>
    path
      .split('.')
      .map((field) => `f:${field}`)
      .join('\u0000'),
  ),
)

const isStatus = (path: string): boolean => split(path)[0] === 'f:status'

/** The part of an object that a write through this subresource can manage. */
function managedPart(kind: Kind, object: unknown, subresource: string | undefined): Fields {
  const fields = fieldsOf(object, rootType(kind.resource))
  for (const path of fields.keys()) {
    const [first, second] = split(path)
    const inMeta = unmanaged.has(path) || (first === 'f:metadata' && second === 'f:managedFields')
    if (inMeta || isStatus(path) !== (subresource === 'status')) fields.delete(path)
  }
  return fields
}

const entryOf = (
  kind: Kind,
  manager: string,
  operation: 'Apply' | 'Update',
  paths: Iterable<string>,
  time: string,
  subresource: string | undefined,
): ManagedFields => ({
  manager,
  operation,
  apiVersion: apiVersionOf(kind),
  time,
  fieldsType: 'FieldsV1',
  fieldsV1: toTree(paths),
  ...(subresource === undefined ? {} : { subresource }),
})

const isBy = (entry: ManagedFields, manager: string, operation: string, subresource: string | undefined): boolean =>
  entry.manager === manager && entry.operation === operation && entry.subresource === subresource

/** Entries without the paths in `taken`; empty entries are removed. */
function withoutFields(entries: ManagedFields[], taken: Set<string>): ManagedFields[] {
  if (taken.size === 0) return entries
  return entries.flatMap((entry) => {
    const paths = fromTree(entry.fieldsV1)
    const left = [...paths].filter((path) => !taken.has(path))
    if (left.length === paths.size) return [entry]
    return left.length === 0 ? [] : [{ ...entry, fieldsV1: toTree(left) }]
  })
}

/** Records in `next.metadata.managedFields` which fields a create, update or merge patch by `manager` changed. */
export function trackUpdate(
  kind: Kind,
  old: Obj | undefined,
  next: Obj,
  manager: string,
  subresource: string | undefined,
  time: string,
): void {
  const before = managedPart(kind, old ?? {}, subresource)
  const after = managedPart(kind, next, subresource)
  const changed = new Set<string>()
  for (const [path, value] of after) if (!before.has(path) || !sameValue(before.get(path), value)) changed.add(path)
  const touched = new Set(changed)
  for (const path of before.keys()) if (!after.has(path)) touched.add(path)
  if (touched.size === 0) return
  const entries = next.metadata.managedFields ?? []
  const mine = entries.find((entry) => isBy(entry, manager, 'Update', subresource))
  const others = withoutFields(
    entries.filter((entry) => entry !== mine),
    touched,
  )
  const kept = [...(mine ? fromTree(mine.fieldsV1) : [])].filter((path) => !touched.has(path))
  const paths = [...kept, ...changed]
  if (paths.length > 0) others.push(entryOf(kind, manager, 'Update', paths, time, subresource))
  next.metadata.managedFields = others
}

function merge(live: unknown, given: unknown, type: Type | undefined): unknown {
  if (type?.kind === 'list' && Array.isArray(given)) {
    const { keys } = type
    if (keys === 'atomic' || !Array.isArray(live)) return structuredClone(given)
    if (keys === 'set') return [...new Set([...(live as unknown[]), ...(given as unknown[])])]
    const wanted = new Map(given.map((item: unknown) => [keySegment(keys, item), item]))
    const merged = (live as unknown[]).map((item) => {
      const key = keySegment(keys, item)
      const own = wanted.get(key)
      wanted.delete(key)
      return own === undefined ? item : merge(item, own, type.item)
    })
    return [...merged, ...[...wanted.values()].map((item) => structuredClone(item))]
  }
  if (!isRecord(given) || (type?.kind !== 'struct' && type?.kind !== 'map') || type.atomic)
    return structuredClone(given)
  const merged = bareCopy(live)
  for (const [name, value] of Object.entries(given))
    if (value !== null) merged[name] = merge(merged[name], value, entryType(type, name))
  return merged
}

/** Removes the value at a path of fields. A map with names chosen by users is removed only when it is empty. */
function removePath(root: unknown, type: Type, path: string): void {
  let at = root
  let of: Type | undefined = type
  const segments = split(path)
  for (const [depth, segment] of segments.entries()) {
    const last = depth === segments.length - 1
    if (segment.startsWith('f:')) {
      const name = segment.slice(2)
      if (!isRecord(at) || !Object.hasOwn(at, name)) return
      of = entryType(of, name)
      if (!last) {
        at = at[name]
        continue
      }
      const value = at[name]
      if (!(of?.kind === 'map' && !of.atomic && isRecord(value) && Object.keys(value).length > 0)) delete at[name]
    } else {
      if (!Array.isArray(at) || of?.kind !== 'list') return
      const list = at as unknown[]
      const { keys } = of
      const index = list.findIndex((item) =>
        typeof keys === 'string' ? `v:${JSON.stringify(item)}` === segment : keySegment(keys, item) === segment,
      )
      if (index < 0) return
      of = of.item
      if (last) list.splice(index, 1)
      else at = list[index]
    }
  }
}

export interface Applied {
  object: Obj
  entries: ManagedFields[]
}

/**
 * Server-side apply: merges the new configuration of `manager` into the object, and removes fields of its last one that
 * no manager applies any more. A field that another manager owns with another value is a conflict, unless `force` takes
 * it over.
 */
export function applyConfiguration(
  kind: Kind,
  live: Obj | undefined,
  given: Record<string, unknown>,
  options: { manager: string; force: boolean; time: string; subresource?: string },
): Applied {
  const { manager, force, time, subresource } = options
  const entries = live?.metadata.managedFields ?? []
  const mine = entries.find((entry) => isBy(entry, manager, 'Apply', subresource))
  const others = entries.filter((entry) => entry !== mine)
  const wanted = managedPart(kind, given, subresource)
  const type = rootType(kind.resource)
  const current = fieldsOf(live ?? {}, type)

  const contested = new Set<string>()
  const clashes: { path: string; entry: ManagedFields }[] = []
  for (const entry of others)
    for (const path of fromTree(entry.fieldsV1)) {
      if (!wanted.has(path) || split(path).at(-1) === '.' || sameValue(current.get(path), wanted.get(path))) continue
      contested.add(path)
      clashes.push({ path, entry })
    }
  if (clashes.length > 0 && !force) throw conflictOf(clashes)

  const rest = withoutFields(others, contested)
  const merged = structuredClone(merge(live ?? {}, given, type)) as Obj
  if (mine) {
    const owned = withAncestors([
      'f:metadata',
      ...wanted.keys(),
      ...rest.flatMap((entry) => [...fromTree(entry.fieldsV1)]),
    ])
    const gone = [...withAncestors(fromTree(mine.fieldsV1))].filter((path) => !owned.has(path))
    // Items first, while their keys still exist; then fields, those in a map before the map.
    const depth = (path: string): number => split(path).length
    const isItem = (path: string): boolean => !split(path).at(-1)?.startsWith('f:')
    const order = gone.filter(isItem).sort((a, b) => depth(a) - depth(b))
    order.push(...gone.filter((path) => !isItem(path)).sort((a, b) => depth(b) - depth(a)))
    for (const path of order) removePath(merged, type, path)
  }
  const unchanged = mine && sameValue([...fromTree(mine.fieldsV1)].sort(), [...wanted.keys()].sort())
  const entry = unchanged ? mine : entryOf(kind, manager, 'Apply', wanted.keys(), time, subresource)
  return { object: merged, entries: wanted.size > 0 ? [entry, ...rest] : rest }
}

function conflictOf(clashes: { path: string; entry: ManagedFields }[]): ApiError {
  const named = (entry: ManagedFields): string =>
    entry.operation === 'Apply'
      ? `"${entry.manager}"`
      : `"${entry.manager}"${entry.subresource ? ` with subresource "${entry.subresource}"` : ''} using ${entry.apiVersion}`
  const causes = clashes.map(({ path, entry }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${named(entry)}`,
    field: shownPath(path),
  }))
  const managers = [...new Set(clashes.map(({ entry }) => named(entry)))]
  const plural = clashes.length === 1 ? 'conflict' : 'conflicts'
  const said =
    managers.length === 1 && clashes.length === 1
      ? `${plural} with ${managers[0]}: ${causes[0]?.field}`
      : managers.length === 1
        ? `${plural} with ${managers[0]}:\n${causes.map(({ field }) => `- ${field}`).join('\n')}`
        : managers
            .map(
              (name) =>
                `conflicts with ${name}:\n${clashes
                  .filter(({ entry }) => named(entry) === name)
                  .map(({ path }) => `- ${shownPath(path)}`)
                  .join('\n')}`,
            )
            .join('\n')
  return new ApiError(409, 'Conflict', `Apply failed with ${clashes.length} ${plural}: ${said}`, { causes })
}
