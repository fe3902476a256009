import { durationOf } from '@gantry/contract/monitoring/metrics'

const minute = 60_000
const hour = 60 * minute

/** The times to choose from, each back from now. */
export const spans = {
  '15m': 15 * minute,
  '1h': hour,
  '6h': 6 * hour,
  '24h': 24 * hour,
  '7d': 168 * hour,
} as const
export type SpanKey = keyof typeof spans

export const isSpan = (key: string): key is SpanKey => Object.hasOwn(spans, key)

export interface RangeValues {
  range: string
  /** Local times, as fields of the browser write them. */
  from: string
  until: string
}

export type RangeQuery =
  { type: 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK'; duration: number } | { type: 'RANGE'; start: number; end: number }

export interface Range {
  /** Undefined: the entered times are not a valid range yet. */
  query: RangeQuery | undefined
  /** How often it is read again, in milliseconds; a range of its own stands still. */
  every: number | false
}

/** What is asked for a choice. Without an end it goes until now. */
export function rangeFrom({ range, from, until }: RangeValues): Range {
  if (range === 'custom') {
    const start = from === '' ? Number.NaN : new Date(from).getTime()
    const end = until === '' ? 0 : new Date(until).getTime()
    const sound = Number.isFinite(start) && Number.isFinite(end) && start > 0 && (end === 0 || start < end)
    return { query: sound ? { type: 'RANGE', start, end } : undefined, every: false }
  }
  const span = spans[isSpan(range) ? range : '1h']
  return { query: durationOf(span), every: span <= hour ? 30_000 : 120_000 }
}
