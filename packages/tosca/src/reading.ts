import { isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml'
import type { ProblemPlace, Problems } from './problems.ts'

export interface Entry {
  key: Node
  value: Node | null
}

/** Reads the parts of a document, and reports values of an unexpected type. */
export const openReading = ({ tell }: Problems) => ({
  /** The entries of a map by their keys; reports unknown keys. Keys that begin with `x-` may be used freely. */
  entries(
    node: Node | null | undefined,
    at: ProblemPlace,
    what: string,
    known?: readonly string[],
  ): Map<string, Entry> {
    const entries = new Map<string, Entry>()
    if (node === undefined || node === null || (isScalar(node) && node.value === null)) return entries
    if (!isMap(node)) {
      tell(node ?? at, 'blueprints-tosca-expected-map', { what })
      return entries
    }
    for (const { key, value } of (node as YAMLMap<Node, Node | null>).items) {
      const name = String(isScalar(key) ? key.value : '')
      if (known && !known.includes(name)) {
        if (!name.startsWith('x-'))
          tell(key, 'blueprints-tosca-unknown-key', { name: name.slice(0, 60), what, known: known.join(', ') })
      } else entries.set(name, { key, value })
    }
    return entries
  },

  list(node: Node | null | undefined, what: string): Node[] {
    if (node === undefined || node === null || (isScalar(node) && node.value === null)) return []
    if (!isSeq(node)) {
      tell(node, 'blueprints-tosca-expected-list', { what })
      return []
    }
    return node.items as Node[]
  },

  /** A text; undefined if there is none; reports a value of another type. */
  text(entry: Entry | undefined, what: string): string | undefined {
    if (!entry || entry.value === null || (isScalar(entry.value) && entry.value.value === null)) return undefined
    if (isScalar(entry.value) && typeof entry.value.value === 'string') return entry.value.value
    tell(entry.value, 'blueprints-tosca-expected-text', { what })
    return undefined
  },

  truth(entry: Entry | undefined, what: string): boolean | undefined {
    if (!entry) return undefined
    if (isScalar(entry.value) && typeof entry.value.value === 'boolean') return entry.value.value
    tell(entry.value ?? entry.key, 'blueprints-tosca-expected-boolean', { what })
    return undefined
  },
})
export type Reading = ReturnType<typeof openReading>
