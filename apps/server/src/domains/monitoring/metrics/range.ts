import { type RangeType, spanOf } from '@gantry/contract/monitoring/metrics'
import { Fault } from '../../../kernel/fault.ts'

/** Milliseconds. `end` is on a grid, so that a repeated query gets the same points; `start` is whole steps before. */
export interface Range {
  start: number
  end: number
  stepSeconds: number
  /** Whether the range was longer than an answer spans, and so starts later than requested. */
  cut: boolean
}

export interface RangeInput {
  /** Epoch milliseconds; 0 means open. */
  start: number
  end: number
  type?: RangeType
  duration?: number
  /** In seconds. */
  step?: number | undefined
}

/** Maximum of points per series in an answer. */
export const maxPoints = 500
export const longestMs = 31 * 86_400_000

const steps = [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400] as const

/** On any grid a span of n steps has up to n + 1 points. */
const fits = (span: number, step: number): boolean => span / 1000 / step <= maxPoints - 2

/** A chart of weeks ends at most a minute ago. */
const gridOf = (stepSeconds: number): number => Math.min(stepSeconds, 60) * 1000

const stepFor = (span: number): number => steps.find((step) => fits(span, step)) ?? 86_400

/**
 * Turns a requested range into the range to measure. Without a start, the duration counts back from the end. A step
 * that gives too many points is lengthened. `leastStep`: seconds between the figures of the source.
 */
export function rangeOf(
  { start, end, type = 'HOUR', duration = 1, step }: RangeInput,
  now: number,
  leastStep = 1,
): Range {
  if (![start, end, duration, now, step ?? 1].every(Number.isSafeInteger) || duration < 1)
    throw new Fault('invalid', 'range-order')
  if (step !== undefined && step < 1) throw new Fault('invalid', 'range-step')
  const to = end === 0 ? now : Math.min(end, now)
  const span = type === 'RANGE' ? longestMs : spanOf(type, duration)
  const requestedFrom = start === 0 ? Math.max(to - span, 0) : start
  if (requestedFrom >= to) throw new Fault('invalid', 'range-order')
  const from = Math.max(requestedFrom, to - longestMs)
  const long = to - from
  const wanted = step !== undefined && fits(long, step) ? step : stepFor(long)
  const stepSeconds = Math.max(Math.min(wanted, Math.ceil(long / 1000)), leastStep)
  const last = Math.floor(to / gridOf(stepSeconds)) * gridOf(stepSeconds)
  const count = Math.max(Math.floor((last - from) / stepSeconds / 1000), 0)
  const cut = from > requestedFrom && (start !== 0 || type !== 'RANGE')
  return { start: last - count * stepSeconds * 1000, end: last, stepSeconds, cut }
}

/** The times of a range. */
export function momentsOf({ start, end, stepSeconds }: Range): number[] {
  const moments: number[] = []
  for (let at = start; at <= end; at += stepSeconds * 1000) moments.push(at)
  return moments
}
