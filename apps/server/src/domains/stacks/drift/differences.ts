import { fieldManager, type KubeObject } from '../../../adapters/kube/objects.ts'
import { quantity } from '../../../adapters/kube/rows/quantity.ts'
import { isObject } from '../../../kernel/json.ts'

/** A field that somebody else changed, added or removed. An item of a list is named in brackets: `[web]`. */
export interface FieldDrift {
  path: readonly string[]
  /** Undefined if the product does not set it. */
  wanted: unknown
  /** Undefined if it is missing. */
  live: unknown
  /** The program that wrote it, as named by the cluster. */
  by: string
  at: string | null
}

type Fields = Readonly<Record<string, unknown>>
/** The keys that identify the items of a list, by the name of the list; other lists are compared as a whole. */
const itemKeys: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  env: ['name'],
  volumes: ['name'],
  volumeMounts: ['mountPath'],
  imagePullSecrets: ['name'],
}
function keysOf(list: string, item: unknown): readonly string[] | undefined {
  if (list !== 'ports') return itemKeys[list]
  return isObject(item) && 'containerPort' in item ? ['containerPort', 'protocol'] : ['port', 'protocol']
}

const keyValue = (item: Fields, key: string): unknown => item[key] ?? (key === 'protocol' ? 'TCP' : undefined)
const isItem = (item: unknown, keys: readonly string[], other: Fields): boolean =>
  isObject(item) && keys.every((key) => keyValue(item, key) === keyValue(other, key))
const nameOf = (item: Fields, keys: readonly string[]): string =>
  `[${keys.map((key) => String(keyValue(item, key))).join('/')}]`

/** Whether a live value has the wanted one. Quantities may be written differently; additional fields are ignored. */
function holds(live: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return Array.isArray(live) && live.length === wanted.length && wanted.every((one, at) => holds(live[at], one))
  if (isObject(wanted)) return isObject(live) && Object.keys(wanted).every((key) => holds(live[key], wanted[key]))
  if (live === wanted) return true
  const amount = quantity(wanted)
  return amount !== undefined && amount === quantity(live)
}

/** Who wrote which fields, as a tree in the cluster's format. Not validated: it may contain anything. */
interface Manager {
  by: string
  at: string | null
  node: unknown
}
interface Managed {
  own: unknown
  others: readonly Manager[]
}

/** A node without branches was written as a whole, with everything below it. */
const branch = (node: unknown, key: string): unknown =>
  isObject(node) ? (Object.keys(node).length === 0 ? node : node[key]) : undefined
const down = ({ own, others }: Managed, find: (node: unknown) => unknown): Managed => ({
  own: find(own),
  others: others.flatMap((one) => {
    const node = find(one.node)
    return node === undefined ? [] : [{ ...one, node }]
  }),
})

function itemOf(text: string): Fields | undefined {
  if (!text.startsWith('k:')) return undefined
  try {
    const key: unknown = JSON.parse(text.slice(2))
    return isObject(key) ? key : undefined
  } catch {
    return undefined
  }
}
const itemBranch = (node: unknown, keys: readonly string[], item: Fields): unknown => {
  if (!isObject(node)) return undefined
  if (Object.keys(node).length === 0) return node
  const found = Object.keys(node).find((text) => isItem(itemOf(text), keys, item))
  return found === undefined ? undefined : node[found]
}

/** Ignores what the cluster's own controllers write, and `apiVersion` and `kind`, which lists omit. */
const isOfCluster = (path: readonly string[]): boolean =>
  ['status', 'apiVersion', 'kind'].includes(path[0] ?? '') ||
  (path[0] === 'metadata' && path[1] !== undefined && path[1] !== 'labels') ||
  path.join('.') === 'spec.template.metadata.creationTimestamp'

/** The longest list of differences. */
const most = 100

interface Walk {
  found: FieldDrift[]
  /** The last writer of the object besides the product, who is assumed to have removed what is missing. */
  last: Manager | undefined
}

function walk(wanted: unknown, live: unknown, managed: Managed, path: readonly string[], to: Walk): void {
  if (to.found.length >= most || isOfCluster(path)) return
  if (isObject(wanted) && (isObject(live) || live === undefined)) {
    for (const [key, value] of Object.entries(wanted))
      walk(
        value,
        live?.[key],
        down(managed, (node) => branch(node, `f:${key}`)),
        [...path, key],
        to,
      )
    if (live) lookForFields(wanted, live, managed, path, to)
    return
  }
  const list = path.at(-1) ?? ''
  if (Array.isArray(wanted)) {
    const keys = keysOf(list, wanted[0] ?? (Array.isArray(live) ? live[0] : undefined))
    if (keys && (Array.isArray(live) || live === undefined)) {
      for (const item of wanted.filter(isObject)) {
        const found: unknown = (live ?? []).find((one: unknown) => isItem(one, keys, item))
        if (found === undefined) {
          tell(
            item,
            undefined,
            down(managed, (node) => itemBranch(node, keys, item)),
            [...path, nameOf(item, keys)],
            to,
          )
          continue
        }
        const below = down(managed, (node) => itemBranch(node, keys, item))
        walk(item, found, below, [...path, nameOf(item, keys)], to)
      }
      lookForItems({ wanted, live: live ?? [], keys }, managed, path, to)
      return
    }
  }
  tell(wanted, live, managed, path, to)
}

function tell(wanted: unknown, live: unknown, managed: Managed, path: readonly string[], to: Walk): void {
  if (wanted === undefined || holds(live, wanted)) return
  // the product itself wrote this in an older release; the next change updates it
  if (managed.own !== undefined && live !== undefined) return
  const by = managed.others[0] ?? (live === undefined && managed.own === undefined ? to.last : undefined)
  if (by) to.found.push({ path, wanted, live, by: by.by, at: by.at })
}

/** Reports fields that somebody else added and that the product does not set. */
function lookForFields(wanted: Fields, live: Fields, managed: Managed, path: readonly string[], to: Walk): void {
  const seen = new Set<string>()
  for (const { by, at, node } of managed.others)
    for (const field of isObject(node) ? Object.keys(node) : []) {
      const key = field.slice(2)
      const here = [...path, key]
      if (!field.startsWith('f:') || key in wanted || seen.has(key) || live[key] === undefined) continue
      seen.add(key)
      if (!isOfCluster(here) && to.found.length < most)
        to.found.push({ path: here, wanted: undefined, live: live[key], by, at })
    }
}

interface Lists {
  wanted: readonly unknown[]
  live: readonly unknown[]
  keys: readonly string[]
}

function lookForItems({ wanted, live, keys }: Lists, managed: Managed, path: readonly string[], to: Walk): void {
  for (const item of live.filter(isObject)) {
    if (wanted.some((one) => isItem(one, keys, item))) continue
    const by = managed.others.find(({ node }) => itemBranch(node, keys, item) !== undefined)
    if (by && to.found.length < most)
      to.found.push({ path: [...path, nameOf(item, keys)], wanted: undefined, live: item, by: by.by, at: by.at })
  }
}

/**
 * What others changed in an object that the product applied: fields that differ and that the product no longer manages,
 * and fields that somebody else added.
 */
export function differences(wanted: KubeObject, live: KubeObject): FieldDrift[] {
  const entries = (live.metadata?.managedFields ?? []).filter(({ subresource }) => subresource !== 'status')
  const own = entries.find(({ manager, operation }) => manager === fieldManager && operation === 'Apply')
  const others = entries
    .filter(
      ({ manager, subresource }) =>
        manager !== fieldManager && (manager !== 'kube-controller-manager' || subresource === 'scale'),
    )
    .map(({ manager = '', time, fieldsV1 }): Manager => ({
      by: String(manager).slice(0, 100),
      at: time ?? null,
      node: fieldsV1,
    }))
    .toSorted((a, b) => ((a.at ?? '') < (b.at ?? '') ? 1 : -1))
  const to: Walk = { found: [], last: others[0] }
  walk(wanted, live, { own: own?.fieldsV1, others }, [], to)
  return to.found
}
