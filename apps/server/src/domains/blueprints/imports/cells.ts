import { illegalKeys } from '@gantry/contract/validators'
import { linesOf, lookBeforeParsing } from '@gantry/tosca/text'
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseAllDocuments } from 'yaml'
import type { NoteReporter } from './telling.ts'
import { openTelling, type Reporter } from './telling.ts'

type Scalar = string | number | boolean | null

/** A part of the text and its position. Readers mark entries of maps as taken; all others are unsupported. */
export type Cell =
  | { at: number; is: 'scalar'; value: Scalar }
  | { at: number; is: 'list'; items: Cell[] }
  | { at: number; is: 'map'; entries: Map<string, Entry> }
export interface Entry {
  /** Position of the key. */
  at: number
  cell: Cell
  taken: boolean
}

/** Aliases are expanded, so a short text may become huge. */
const maxCells = 60_000
const deepest = 60

class TooMuch extends Error {
  readonly at: number
  constructor(at: number) {
    super('too much')
    this.at = at
  }
}

function cellsOf(document: Document, tell: Reporter): Cell {
  const anchors = new Map<string, Node>()
  let left = maxCells
  const at = (node: Node): number => node.range?.[0] ?? 0

  function mapOf(node: Node & { items: { key: unknown; value: unknown }[] }, depth: number): Cell {
    const entries = new Map<string, Entry>()
    const merged: Map<string, Entry>[] = []
    for (const { key, value } of node.items) {
      if (!isScalar(key) || (typeof key.value !== 'string' && typeof key.value !== 'number')) {
        tell.wrong(at(node), 'imports-key')
        continue
      }
      const name = String(key.value)
      const cell = cellOf(value as Node | null, at(key), depth + 1)
      if (name === '<<') {
        for (const one of cell.is === 'list' ? cell.items : [cell]) if (one.is === 'map') merged.push(one.entries)
        continue
      }
      if (illegalKeys.has(name)) tell.wrong(at(key), 'imports-key-refused', { name })
      else if (entries.has(name)) tell.wrong(at(key), 'imports-key-twice', { name: name.slice(0, 60) })
      else entries.set(name, { at: at(key), cell, taken: false })
    }
    for (const one of merged) for (const [name, entry] of one) if (!entries.has(name)) entries.set(name, entry)
    return { at: at(node), is: 'map', entries }
  }

  function cellOf(node: Node | null, place: number, depth: number): Cell {
    if (--left < 0 || depth > deepest) throw new TooMuch(node ? at(node) : place)
    if (node === null || node === undefined) return { at: place, is: 'scalar', value: null }
    if (isAlias(node)) {
      const meant = anchors.get(node.source)
      if (meant) return cellOf(meant, at(node), depth + 1)
      tell.wrong(at(node), 'imports-alias', { name: node.source.slice(0, 60) })
      return { at: at(node), is: 'scalar', value: null }
    }
    if ('anchor' in node && typeof node.anchor === 'string') anchors.set(node.anchor, node)
    if (isMap(node)) return mapOf(node, depth)
    if (isSeq(node))
      return { at: at(node), is: 'list', items: (node.items as Node[]).map((one) => cellOf(one, at(node), depth + 1)) }
    const { value } = node as { value?: unknown }
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    return { at: at(node), is: 'scalar', value: isPlain ? value : null }
  }
  return cellOf(document.contents, 0, 0)
}

/** The documents of a text, without empty ones; reports what is wrong with its YAML. */
export function readCells(text: string): { cells: Cell[]; tell: Reporter } {
  const tell = openTelling(linesOf(text))
  lookBeforeParsing(text, (at, bound, vars) => tell.wrong(at, `imports-${bound}`, vars))
  if (tell.hasWrong()) return { cells: [], tell }
  const parsed = parseAllDocuments(text, { uniqueKeys: false, prettyErrors: false, version: '1.2', strict: true })
  const documents = Array.isArray(parsed) ? parsed : []
  for (const { pos, message } of documents.flatMap(({ errors }) => errors))
    tell.wrong(pos[0], 'imports-yaml', { reason: message.split('\n')[0]?.slice(0, 200) ?? '' })
  if (tell.hasWrong()) return { cells: [], tell }
  try {
    const cells = documents.map((document) => cellsOf(document, tell))
    return { cells: cells.filter((cell) => cell.is !== 'scalar' || cell.value !== null), tell }
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error
    tell.wrong(error.at, 'imports-too-complex')
    return { cells: [], tell }
  }
}

/** Converts a part to plain values and marks everything in it as taken. */
export function whole(cell: Cell): unknown {
  if (cell.is === 'scalar') return cell.value
  if (cell.is === 'list') return cell.items.map(whole)
  return Object.fromEntries(
    [...cell.entries].map(([key, entry]) => {
      entry.taken = true
      return [key, whole(entry.cell)]
    }),
  )
}

/** Reports every entry that was not taken, by its path; the entries inside such an entry are not reported again. */
export function reportUnread(cell: Cell, { note }: NoteReporter, path: readonly string[] = []): void {
  if (cell.is === 'list') for (const one of cell.items) reportUnread(one, { note }, path)
  if (cell.is !== 'map') return
  for (const [key, { at, cell: inner, taken }] of cell.entries) {
    const field = [...path, key]
    if (taken) reportUnread(inner, { note }, field)
    else note(at, 'imports-no-place', { field: field.join('.').slice(-120) })
  }
}
