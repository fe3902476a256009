import { isReservedLabel } from '@gantry/contract/stacks/spec-placement'
import type { KubeObject } from './objects.ts'

// A cluster may belong to anybody and answer anything, so the types of its API are not guaranteed. A value of an
// unexpected type is read as absent, and one object never breaks the answer about others.

/** Valid names, references and addresses are shorter; longer ones are truncated. */
const longest = 2_000
/** More entries than any object lists. */
const most = 1_000
/** Kubernetes' counts are int32. */
const largest = 2 ** 31 - 1

/** A text; undefined if it is none. */
export const optionalText = (value: unknown): string | undefined =>
  typeof value === 'string' ? (value.length > longest ? value.slice(0, longest) : value) : undefined

export const text = (value: unknown): string => optionalText(value) ?? ''

/** A whole number; undefined if it is none. */
export const optionalCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= largest ? value : undefined

export const count = (value: unknown): number => optionalCount(value) ?? 0

/** The objects of a list; other entries are dropped. */
export const list = <T extends object>(value: readonly T[] | null | undefined): T[] =>
  Array.isArray(value)
    ? value.slice(0, most).filter((one: unknown): one is T => typeof one === 'object' && one !== null)
    : []

/** The texts of a list; other entries are dropped. */
export const texts = (value: readonly string[] | null | undefined): string[] =>
  Array.isArray(value)
    ? value
        .slice(0, most)
        .filter((one: unknown) => typeof one === 'string')
        .map(intern)
    : []

export const textsByName = (value: Record<string, string> | null | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(value ?? {})
      .slice(0, most)
      .flatMap(([key, one]) => (typeof one === 'string' ? [[intern(key), intern(one)]] : [])),
  )

// 30,000 pods name the same few nodes, namespaces and images; JSON.parse creates a string for each.
let known = new Map<string, string>()

/** Returns one shared copy of a text that many rows contain. */
export function intern(value: unknown): string {
  const one = text(value)
  const found = known.get(one)
  if (found !== undefined) return found
  // a memory bound, not a cache policy: a dropped text is interned again when it is next seen
  if (known.size >= 20_000) known = new Map()
  known.set(one, one)
  return one
}

/** The labels that screens and domains read; the cache does not keep others. */
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

/** The fields of every row. `created` and `deleting` are RFC 3339. */
export interface BaseRow {
  uid: string
  name: string
  /** '' for cluster-wide kinds. */
  namespace: string
  labels: Record<string, string>
  created: string
  /** The time at which its deletion was requested. */
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

/** Messages of cluster components can be long; a row keeps what a screen shows. */
export const short = (value: unknown, most = 500): string | undefined => {
  if (typeof value !== 'string') return undefined
  return value.length <= most ? value : `${value.slice(0, most)}…`
}
