import { ReportType, type Period } from '@gantry/contract/pipelines/reports'
import dayjs from 'dayjs'
import { useUrlState } from '../../../ui/table/url-state.ts'

export const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

interface PeriodValues {
  type: string
  /** Local times, in the format of browser fields. */
  from: string
  until: string
}

export interface PeriodQuery {
  type: ReportType
  zone: string
  startTime?: number
  endTime?: number
}

const isType = (type: string): type is ReportType => ReportType.options.some((one) => one === type)

/** The query for a selected period; undefined while its times are not a valid range. Without an end it ends now. */
export function queryOf({ type, from, until }: PeriodValues): PeriodQuery | undefined {
  if (type !== 'RANGE') return { type: isType(type) ? type : 'MONTH', zone: zone() }
  const startTime = dayjs(from).valueOf()
  const endTime = until === '' ? 0 : dayjs(until).valueOf()
  const sound = startTime > 0 && (endTime === 0 || startTime < endTime)
  return sound ? { type, zone: zone(), startTime, endTime } : undefined
}

/** The period of a report, in the address. */
export function usePeriod() {
  const [values, change] = useUrlState({ type: 'MONTH', from: '', until: '' })
  return { values, change, query: queryOf(values) }
}

const formats: Record<Period['unit'], string> = {
  hour: 'MM-DD HH:mm',
  day: 'YYYY-MM-DD',
  week: 'YYYY-MM-DD',
  month: 'YYYY-MM',
}

/** The beginning of a slot, formatted with the precision of its unit. */
export const slotName = (unit: Period['unit'], at: number): string => dayjs(at).format(formats[unit])
