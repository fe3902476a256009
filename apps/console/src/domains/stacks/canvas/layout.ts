/** The input of a layout: nodes by their keys, and edges. */
export interface Shape {
  keys: readonly string[]
  edges: readonly { from: string; to: string }[]
}

export interface Point {
  x: number
  y: number
}

export interface Layout {
  places: ReadonlyMap<string, Point>
  /** The intermediate points of edges that span several columns, by their ends. */
  bends: ReadonlyMap<string, readonly Point[]>
  width: number
  height: number
}

export const nodeSize = { width: 200, height: 56 }
/** The distance between neighbouring nodes. */
export const step = { x: 272, y: 76 }
const margin = 24
/** A column is split if it would be higher than this. */
const leastRows = 8

/** The edges by their sources, without those that would close a cycle. */
function forward({ keys, edges }: Shape): Map<string, string[]> {
  const all = new Map(keys.map((key) => [key, [] as string[]]))
  for (const { from, to } of edges) if (from !== to && all.has(to)) all.get(from)?.push(to)
  const state = new Map<string, 'open' | 'done'>()
  const kept = new Map(keys.map((key) => [key, [] as string[]]))
  for (const root of keys) {
    if (state.has(root)) continue
    // iterative, because a chain of services may exceed the browser's call stack
    const path: { key: string; at: number }[] = [{ key: root, at: 0 }]
    state.set(root, 'open')
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = all.get(top.key)?.[top.at++]
      if (next === undefined) {
        state.set(top.key, 'done')
        path.pop()
        continue
      }
      if (state.get(next) === 'open') continue
      kept.get(top.key)?.push(next)
      if (!state.has(next)) {
        state.set(next, 'open')
        path.push({ key: next, at: 0 })
      }
    }
  }
  return kept
}

/** The level of each node: one more than the highest of its sources; without sources, the given or the first level. */
function levels(
  keys: readonly string[],
  next: ReadonlyMap<string, readonly string[]>,
  begin: ReadonlyMap<string, number>,
): Map<string, number> {
  const waits = new Map(keys.map((key) => [key, 0]))
  for (const targets of next.values()) for (const to of targets) waits.set(to, (waits.get(to) ?? 0) + 1)
  const column = new Map(keys.map((key) => [key, begin.get(key) ?? 0]))
  const ready = keys.filter((key) => waits.get(key) === 0)
  for (let at = 0; at < ready.length; at++) {
    const key = ready[at] ?? ''
    for (const to of next.get(key) ?? []) {
      column.set(to, Math.max(column.get(to) ?? 0, (column.get(key) ?? 0) + 1))
      const left = (waits.get(to) ?? 0) - 1
      waits.set(to, left)
      if (left === 0) ready.push(to)
    }
  }
  return column
}

/** The column of each node. A node without sources is placed just before its nearest target with several sources. */
function columnOf(keys: readonly string[], next: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const plain = levels(keys, next, new Map())
  const ledTo = new Map<string, number>()
  for (const targets of next.values()) for (const to of new Set(targets)) ledTo.set(to, (ledTo.get(to) ?? 0) + 1)
  const begin = new Map<string, number>()
  for (const key of keys) {
    if (ledTo.has(key)) continue
    const shared = (next.get(key) ?? []).filter((to) => (ledTo.get(to) ?? 0) > 1)
    if (shared.length > 0) begin.set(key, Math.max(0, Math.min(...shared.map((to) => plain.get(to) ?? 0)) - 1))
  }
  const column = levels(keys, next, begin)
  // moving nodes to later columns may have emptied the first ones
  const used = [...new Set(column.values())].sort((a, b) => a - b)
  const dense = new Map(used.map((one, at) => [one, at]))
  return new Map([...column].map(([key, at]) => [key, dense.get(at) ?? 0]))
}

export const edgeKey = (from: string, to: string): string => `${from}\n${to}`

/** Adds a passage to each column that an edge crosses, so that the edge passes between the nodes there. */
function withPassages(
  keys: readonly string[],
  next: ReadonlyMap<string, readonly string[]>,
  column: ReadonlyMap<string, number>,
) {
  const columns: string[][] = []
  const stand = (key: string, at: number) => (columns[at] ??= []).push(key)
  for (const key of keys) stand(key, column.get(key) ?? 0)
  const edges: { from: string; to: string }[] = []
  const passages = new Map<string, string[]>()
  // limits the passages: beyond it, crossing edges are better than columns of passages only
  let left = 2 * keys.length
  for (const [from, targets] of next)
    for (const to of new Set(targets)) {
      const [first, last] = [column.get(from) ?? 0, column.get(to) ?? 0]
      const between = last - first - 1
      if (between <= 0 || between > left) {
        edges.push({ from, to })
        continue
      }
      left -= between
      const through = Array.from({ length: between }, (_, at) => `${edgeKey(from, to)}\n${at}`)
      for (const [at, key] of through.entries()) stand(key, first + 1 + at)
      passages.set(edgeKey(from, to), through)
      const path = [from, ...through, to]
      edges.push(...path.slice(1).map((key, at) => ({ from: path[at] ?? '', to: key })))
    }
  return { columns, edges, passages }
}

/** Moves each node near the middle of its neighbours in the adjacent columns, back and forth, to reduce crossings. */
function untangle(columns: string[][], edges: Shape['edges']): string[][] {
  const linked = new Map<string, string[]>()
  for (const { from, to } of edges) {
    linked.set(from, [...(linked.get(from) ?? []), to])
    linked.set(to, [...(linked.get(to) ?? []), from])
  }
  let ordered = columns
  for (let sweep = 0; sweep < 4; sweep++) {
    const place = new Map(ordered.flatMap((column) => column.map((key, at) => [key, at / column.length] as const)))
    const middle = (key: string): number => {
      const others = linked.get(key) ?? []
      const sum = others.reduce((total, other) => total + (place.get(other) ?? 0), 0)
      return others.length === 0 ? (place.get(key) ?? 0) : sum / others.length
    }
    ordered = ordered.map((column) => {
      const by = new Map(column.map((key) => [key, middle(key)]))
      return column.toSorted((a, b) => (by.get(a) ?? 0) - (by.get(b) ?? 0))
    })
  }
  return ordered
}

/**
 * The positions of all nodes: from left to right along the edges, and unconnected nodes below. Simple layers suffice
 * for a stack; a general layouter takes seconds for as many nodes.
 */
export function layoutOf(shape: Shape): Layout {
  const tied = new Set(shape.edges.flatMap(({ from, to }) => [from, to]))
  const keys = shape.keys.filter((key) => tied.has(key))
  const alone = shape.keys.filter((key) => !tied.has(key))
  const next = forward({ keys, edges: shape.edges })
  const { columns, edges, passages } = withPassages(keys, next, columnOf(keys, next))
  const rows = Math.max(leastRows, Math.ceil(Math.sqrt(keys.length * 1.5)))
  const all = new Map<string, Point>()
  const put = (key: string, column: number, row: number) =>
    all.set(key, { x: margin + column * step.x, y: margin + row * step.y })
  let column = 0
  let height = 0
  for (const layer of untangle(columns, edges)) {
    const high = Math.ceil(layer.length / Math.ceil(layer.length / rows))
    for (const [at, key] of layer.entries()) put(key, column + Math.floor(at / high), at % high)
    column += Math.ceil(layer.length / high)
    height = Math.max(height, high)
  }
  const wide = Math.max(column, Math.min(alone.length, 4), Math.ceil(Math.sqrt(alone.length / 2)))
  for (const [at, key] of alone.entries()) put(key, at % wide, height + Math.floor(at / wide))
  const high = height + Math.ceil(alone.length / Math.max(1, wide))
  const placeOf = (key: string): Point => all.get(key) ?? { x: margin, y: margin }
  return {
    places: new Map(shape.keys.map((key) => [key, placeOf(key)])),
    bends: new Map([...passages].map(([edge, through]) => [edge, through.map(placeOf)])),
    width: 2 * margin + Math.max(1, wide) * step.x - (step.x - nodeSize.width),
    height: 2 * margin + Math.max(1, high) * step.y - (step.y - nodeSize.height),
  }
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/** The nearest node in a direction; nodes straight ahead come before nodes to the side. */
export function nearest({ places }: Layout, from: string, direction: Direction): string | undefined {
  const here = places.get(from)
  if (!here) return undefined
  let best: { key: string; far: number } | undefined
  for (const [key, { x, y }] of places) {
    const [dx, dy] = [(x - here.x) / step.x, (y - here.y) / step.y]
    const [ahead, aside] =
      direction === 'right' ? [dx, dy] : direction === 'left' ? [-dx, dy] : direction === 'down' ? [dy, dx] : [-dy, dx]
    if (ahead <= 0) continue
    const far = ahead + 2 * Math.abs(aside)
    if (!best || far < best.far) best = { key, far }
  }
  return best?.key
}
