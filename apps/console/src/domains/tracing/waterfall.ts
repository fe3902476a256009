import type { Span } from '@gantry/contract/tracing/traces'

export interface Row {
  span: Span
  depth: number
  children: number
}

/** The spans in call order, from the root on; spans whose caller is missing are roots. */
export function rowsOf(spans: readonly Span[], closed: ReadonlySet<string>): Row[] {
  const ids = new Set(spans.map(({ id }) => id))
  const below = new Map<string, Span[]>()
  const roots: Span[] = []
  for (const span of spans) {
    if (span.parent === null || span.parent === span.id || !ids.has(span.parent)) roots.push(span)
    else below.set(span.parent, [...(below.get(span.parent) ?? []), span])
  }
  const rows: Row[] = []
  const seen = new Set<string>()
  // iterative, because a trace may be deeper than the browser's call stack
  const waiting = roots.toReversed().map((span) => ({ span, depth: 0 }))
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { span, depth } = next
    if (seen.has(span.id)) continue
    seen.add(span.id)
    const children = below.get(span.id) ?? []
    rows.push({ span, depth, children: children.length })
    if (!closed.has(span.id)) waiting.push(...children.toReversed().map((child) => ({ span: child, depth: depth + 1 })))
  }
  return rows
}

/** The spans that determine the trace's duration: from the root, each time the child that ends last. */
export function criticalPath(spans: readonly Span[]): Set<string> {
  const path = new Set<string>()
  let at = rowsOf(spans, new Set())[0]?.span
  while (at && !path.has(at.id)) {
    const { id } = at
    path.add(id)
    at = spans
      .filter(({ parent }) => parent === id)
      .toSorted((a, b) => b.offset + b.duration - (a.offset + a.duration))[0]
  }
  return path
}
