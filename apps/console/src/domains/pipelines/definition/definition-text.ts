import type { StageInput } from '@gantry/contract/pipelines/definition'
import { type Document, isMap, isScalar, isSeq, type Node, visit, type YAMLMap, type YAMLSeq } from 'yaml'
import { readDocument } from '../../../ui/editor/yaml-text.ts'
import { documentOfStages, fromYaml, toYaml } from './definition-yaml.ts'

type Value = string | number | boolean | null | undefined | Value[] | { [key: string]: Value }

const same = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]),
  )
}

/**
 * Replaces the stages in a text. Unchanged parts stay as they were written: comments, order, quotes, explicit defaults.
 * Stages, jobs and steps are recognized by their names, and move with their comments.
 */
export function textWith(text: string, stages: readonly StageInput[]): string {
  const read = text === '' ? undefined : fromYaml(text)
  if (!read || !('stages' in read)) return toYaml(stages)
  if (same(documentOfStages(read.stages), documentOfStages(stages))) return text
  const document = readDocument(text)
  if (!isMap(document.contents)) return toYaml(stages)
  spellOut(document)
  merge(document, document.contents, documentOfStages(stages) as Value, { stages } as unknown as Value)
  return document.toString({ lineWidth: 0, blockQuote: 'literal' })
}

/** Replaces aliases by their values, because their anchor may change, be removed, or move behind them. */
function spellOut(document: Document): void {
  let aliases = false
  visit(document, {
    Alias: (_, alias) => {
      aliases = true
      return alias.resolve(document)?.clone() as Node
    },
  })
  if (aliases) visit(document, { Node: (_, node) => void ('anchor' in node && delete node.anchor) })
}

/** `wanted` is without defaults; values of `whole`, which has them, may stay in the text. */
function merge(document: Document, node: Node, wanted: Value, whole: Value): Node {
  const now: unknown = node.toJS(document)
  if (same(now, wanted)) return node
  if (isMap(node) && isRecord(wanted)) return mergeMap(document, node, wanted, isRecord(whole) ? whole : wanted)
  if (isSeq(node) && Array.isArray(wanted))
    return mergeList(document, node, wanted, Array.isArray(whole) ? whole : wanted)
  const made = document.createNode(wanted)
  if (isScalar(node) && isScalar(made)) {
    made.comment = node.comment ?? null
    made.commentBefore = node.commentBefore ?? null
    if (typeof made.value === 'string' && node.type?.startsWith('QUOTE')) made.type = node.type
  }
  return made
}

const isRecord = (value: unknown): value is Record<string, Value> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

function mergeMap(document: Document, map: YAMLMap, wanted: Record<string, Value>, whole: Record<string, Value>): Node {
  const js = map.toJS(document, {}) as unknown as Record<string, unknown>
  const keyOf = (key: unknown): string => String(isScalar(key) ? key.value : key)
  map.items = map.items.filter(({ key }) => {
    const name = keyOf(key)
    return wanted[name] !== undefined || (whole[name] !== undefined && same(whole[name], js[name]))
  })
  for (const [name, value] of Object.entries(wanted)) {
    if (value === undefined) continue
    const pair = map.items.find(({ key }) => keyOf(key) === name)
    if (pair)
      pair.value = pair.value ? merge(document, pair.value as Node, value, whole[name]) : document.createNode(value)
    else map.items.splice(placeOf(map, keyOf, name), 0, document.createPair(name, value))
  }
  return map
}

/** The order of keys: nested stages, jobs and steps come last. */
const placeOf = (map: YAMLMap, keyOf: (key: unknown) => string, name: string): number => {
  const last = map.items.findIndex(({ key }) => ['steps', 'jobs'].includes(keyOf(key)))
  return last === -1 || ['steps', 'jobs'].includes(name) ? map.items.length : last
}

const nameOf = (value: unknown): unknown => (isRecord(value) ? value['name'] : undefined)

function mergeList(document: Document, list: YAMLSeq, wanted: Value[], whole: Value[]): Node {
  const items = list.items as Node[]
  const js = items.map((item): unknown => item.toJS(document))
  const free = new Set(items.keys())
  const named = new Set<unknown>(wanted.map(nameOf).filter((name) => name !== undefined))
  const takes = (value: Value, at: number): number | undefined => {
    const name = nameOf(value)
    const own = [...free].find((i) => (name === undefined ? same(js[i], value) : nameOf(js[i]) === name))
    // a new name at the same position is a renamed part
    const renamed = name !== undefined && free.has(at) && !named.has(nameOf(js[at])) ? at : undefined
    const found = own ?? renamed
    if (found !== undefined) free.delete(found)
    return found
  }
  const exact = wanted.map((value, at) => takes(value, at))
  list.items = wanted.map((value, at) => {
    const from = exact[at]
    const item = from === undefined ? undefined : items[from]
    return item ? merge(document, item, value, whole[at]) : document.createNode(value)
  })
  return list
}
