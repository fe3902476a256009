import { isReservedLabel } from './labels.ts'
import type { KubeObject } from './objects.ts'

// What a cluster tells is typed as its API promises it, and is no proof: whoever made the cluster may answer with anything. What reads it
// into rows therefore takes a value of another type for one that is not told. One object must never take others' answers.

/** Names, references and addresses are shorter; what is longer is cut. */
const longest = 2_000
/** More than any object lists of one thing. */
const most = 1_000
/** Kubernetes' counts are int32. */
const largest = 2 ** 31 - 1

/** A text that was told; undefined where there is none. */
export const optionalText = (value: unknown): string | undefined =>
  typeof value === 'string' ? (value.length > longest ? value.slice(0, longest) : value) : undefined

export const text = (value: unknown): string => optionalText(value) ?? ''

/** A whole number that was told; undefined where there is none. */
export const optionalCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= largest ? value : undefined

export const count = (value: unknown): number => optionalCount(value) ?? 0

/** The objects of a list. */
export const list = <T extends object>(value: readonly T[] | null | undefined): T[] =>
  Array.isArray(value)
    ? value.slice(0, most).filter((one: unknown): one is T => typeof one === 'object' && one !== null)
    : []

/** The texts of a list. */
export const texts = (value: readonly string[] | null | undefined): string[] =>
  Array.isArray(value)
    ? value
        .slice(0, most)
        .filter((one: unknown) => typeof one === 'string')
        .map(intern)
    : []

/** Texts by their names. */
export const textsByName = (value: Record<string, string> | null | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(value ?? {})
      .slice(0, most)
      .flatMap(([key, one]) => (typeof one === 'string' ? [[intern(key), intern(one)]] : [])),
  )

// 30,000 pods name the same few nodes, namespaces and images; JSON.parse makes each a text of its own.
let known = new Map<string, string>()

/** The one copy of a text that many rows hold. */
export function intern(value: unknown): string {
  const one = text(value)
  const found = known.get(one)
  if (found !== undefined) return found
  // A cap, not a cache policy: what is dropped is interned anew when it is met again.
  if (known.size >= 20_000) known = new Map()
  known.set(one, one)
  return one
}

/** Those that screens and domains read. Others stay in the cluster. */
export function ourLabels(labels: Record<string, string> | undefined): Record<string, string> {
  const ours: Record<string, string> = {}
  for (const [key, value] of Object.entries(labels ?? {})) if (isReservedLabel(key)) ours[intern(key)] = intern(value)
  return ours
}

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
  const controller = list(metadata?.ownerReferences).find((owner) => owner.controller)
  return {
    uid: text(metadata?.uid),
    name: text(metadata?.name),
    namespace: intern(metadata?.namespace),
    labels: ourLabels(metadata?.labels),
    created: text(metadata?.creationTimestamp),
    deleting: optionalText(metadata?.deletionTimestamp),
    owner: controller && {
      kind: intern(controller.kind),
      name: intern(controller.name),
      uid: intern(controller.uid),
    },
  }
}

/** Texts of a cluster's components can be long; a row keeps what a screen shows. */
export const short = (value: unknown, most = 500): string | undefined => {
  if (typeof value !== 'string') return undefined
  return value.length <= most ? value : `${value.slice(0, most)}…`
}
