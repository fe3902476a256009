import type { KubeObject } from './objects.ts'

// 30,000 pods name the same few nodes, namespaces and images; JSON.parse makes each a text of its own.
let known = new Map<string, string>()

/** The one copy of a text that many rows hold. */
export function intern(text: string): string {
  const found = known.get(text)
  if (found !== undefined) return found
  // A cap, not a cache policy: what is dropped is interned anew when it is met again.
  if (known.size >= 20_000) known = new Map()
  known.set(text, text)
  return text
}

/** Labels that screens and domains read: ours and the specification's. Others stay in the cluster. */
const kept = new Set(['app', 'io.wise2c.stack', 'io.wise2c.service'])

export function ourLabels(labels: Record<string, string> | undefined): Record<string, string> {
  const ours: Record<string, string> = {}
  for (const [key, value] of Object.entries(labels ?? {}))
    if (kept.has(key) || key.startsWith('gantry.dev/')) ours[intern(key)] = intern(value)
  return ours
}

export const allLabels = (labels: Record<string, string> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(labels ?? {}).map(([key, value]) => [intern(key), intern(value)]))

export interface Owner {
  kind: string
  name: string
  uid: string
}

/** What the rows of all kinds have. `created` and `deleting` are RFC 3339. */
export interface BaseRow {
  uid: string
  name: string
  /** '' for cluster-wide kinds. */
  namespace: string
  labels: Record<string, string>
  created: string
  /** Since when it is being deleted. */
  deleting: string | undefined
  /** The object that controls it. */
  owner: Owner | undefined
}

export function base({ metadata }: KubeObject): BaseRow {
  const controller = metadata?.ownerReferences?.find((owner) => owner.controller)
  return {
    uid: metadata?.uid ?? '',
    name: metadata?.name ?? '',
    namespace: intern(metadata?.namespace ?? ''),
    labels: ourLabels(metadata?.labels),
    created: metadata?.creationTimestamp ?? '',
    deleting: metadata?.deletionTimestamp,
    owner: controller && {
      kind: intern(controller.kind),
      name: intern(controller.name),
      uid: intern(controller.uid),
    },
  }
}

/** Texts of a cluster's components can be long; a row keeps what a screen shows. */
export const short = (text: string | undefined, most = 500): string | undefined =>
  text === undefined || text.length <= most ? text : `${text.slice(0, most)}…`
