import { durationOf } from '@gantry/contract/monitoring/metrics'

const minute = 60_000
const hour = 60 * minute

/** The ranges to choose from, each ending now. */
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
  /** Local times, in the format of browser fields. */
  from: string
  until: string
}

export type RangeQuery =
  | { type: 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK'; duration: number }
  | { type: 'RANGE'; start: number; end: number }

export interface Range {
  /** Undefined: the entered times are not a valid range yet. */
  query: RangeQuery | undefined
  /** The refetch interval in milliseconds; false for a custom range. */
  every: number | false
}

/** The query for a selected range. Without an end it ends now. */
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
