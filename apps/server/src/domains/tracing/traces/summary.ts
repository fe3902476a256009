import type { TraceSummary } from '@gantry/contract/tracing/traces'
import type { JaegerSpan, JaegerTrace } from '../../../adapters/jaeger/answers.ts'
import { hasFailed, namespaceOf, ownNamespaceOf, type Scope } from './belonging.ts'

export interface Wanted {
  namespace: string
  service: string
  operation: string
  failed: boolean
  /** Microseconds; 0 means any. */
  minDuration: number
  maxDuration: number
  tags: Readonly<Record<string, string>>
}

/** Start and duration of a trace, in microseconds. */
export function spanOfTime(spans: readonly JaegerSpan[]): { start: number; duration: number } {
  let [start, end] = [Infinity, 0]
  for (const span of spans) {
    start = Math.min(start, span.start)
    end = Math.max(end, span.start + span.duration)
  }
  return spans.length === 0 ? { start: 0, duration: 0 } : { start, duration: end - start }
}

export const isoOf = (microseconds: number): string => new Date(Math.min(microseconds / 1000, 8.64e15)).toISOString()

function says(span: JaegerSpan, key: string, value: string): boolean {
  const all = [span.tags, span.process, ...span.logs.map(({ fields }) => fields)]
  return all.some((tags) => tags.some((tag) => tag.key === key && tag.value === value))
}

/**
 * Whether a span of the stack matches the search. Jaeger was searched for the same, but it knows a service only by its
 * name, which another team may use too: matches in their spans alone are dropped here.
 */
export function isWanted(span: JaegerSpan, wanted: Wanted, cluster: string): boolean {
  return (
    namespaceOf(span, cluster) === wanted.namespace &&
    (wanted.service === '' || span.service === wanted.service) &&
    (wanted.operation === '' || span.operation === wanted.operation) &&
    (!wanted.failed || hasFailed(span)) &&
    span.duration >= wanted.minDuration &&
    (wanted.maxDuration === 0 || span.duration <= wanted.maxDuration) &&
    Object.entries(wanted.tags).every(([key, value]) => says(span, key, value))
  )
}

/** The first span without a parent in the trace. */
export function rootOf(spans: readonly JaegerSpan[]): JaegerSpan | undefined {
  const ids = new Set(spans.map(({ id }) => id))
  return spans.find(({ parent }) => parent === null || !ids.has(parent)) ?? spans[0]
}

/** A trace in a list; spans of others are only counted. */
export function summaryOf({ traceId, spans }: JaegerTrace, scope: Scope): TraceSummary {
  const { start, duration } = spanOfTime(spans)
  const own = spans.filter((span) => ownNamespaceOf(span, scope) !== undefined)
  const counts = new Map<string, number>()
  for (const { service } of own) counts.set(service, (counts.get(service) ?? 0) + 1)
  const root = rootOf(spans)
  const isOwn = root !== undefined && own.includes(root)
  return {
    traceId,
    startedAt: isoOf(start),
    duration,
    root: isOwn ? { service: root.service, operation: root.operation } : { service: '', operation: '' },
    services: [...counts].map(([name, count]) => ({ name, spans: count })).sort((a, b) => b.spans - a.spans),
    spans: spans.length,
    hidden: spans.length - own.length,
    errors: own.filter(hasFailed).length,
  }
}
