import type { Period, ReportType } from '@gantry/contract/pipelines/reports'
import { slotsAfter } from '../../../kernel/cron.ts'

export interface PeriodInput {
  type: ReportType
  startTime?: number | undefined
  endTime?: number | undefined
  zone: string
}

/** A period and the beginnings of its parts, each of which is the end of the part before; the last entry is the end. */
export interface Slots extends Period {
  bounds: [number, ...number[]]
}

const day = 86_400_000
const crons = { hour: '0 * * * *', day: '0 0 * * *', week: '0 0 * * 1', month: '0 0 1 * *' } as const
/** The least and greatest length of each unit, in any zone and month. */
const lengths = {
  hour: { least: day / 24, most: day / 24 },
  day: { least: day - 3 * 3_600_000, most: day + 3 * 3_600_000 },
  week: { least: 6 * day, most: 8 * day },
  month: { least: 27 * day, most: 32 * day },
} as const

/** The beginning of a period of so many units until now, including the current one. */
const back = {
  WEEK: { unit: 'day', slots: 7 },
  MONTH: { unit: 'day', slots: 30 },
  QUARTER: { unit: 'week', slots: 13 },
  YEAR: { unit: 'month', slots: 12 },
} as const

function unitOf(span: number): Period['unit'] {
  if (span <= 2 * day) return 'hour'
  if (span <= 62 * day) return 'day'
  return span <= 366 * day ? 'week' : 'month'
}

/** The beginnings of local hours, days, weeks or months between two moments, both excluded. */
function beginnings(unit: Period['unit'], zone: string, after: number, before: number): number[] {
  const count = Math.ceil((before - after) / lengths[unit].least) + 1
  return slotsAfter({ cron: crons[unit], zone }, new Date(after), count)
    .map((at) => at.getTime())
    .filter((at) => at < before)
}

/** The parts of a report's period. `now` is the database's. */
export function slotsOf({ type, startTime = 0, endTime = 0, zone }: PeriodInput, now: number): Slots {
  if (type === 'RANGE') {
    const end = endTime || now
    const unit = unitOf(end - startTime)
    const bounds = [startTime, ...beginnings(unit, zone, startTime, end), end] as [number, ...number[]]
    return { unit, startTime, endTime: end, bounds }
  }
  const { unit, slots } = back[type]
  // so that what ends at this very moment belongs to the period
  const end = now + 1
  const starts = beginnings(unit, zone, now - (slots + 1) * lengths[unit].most, end).slice(-slots)
  const [start = now] = starts
  return { unit, startTime: start, endTime: end, bounds: [start, ...starts.slice(1), end] }
}
