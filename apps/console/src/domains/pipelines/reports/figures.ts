import { t } from '../../../api/language.ts'
import { duration } from '../../../ui/format.ts'

/** Shown if there is nothing to measure. */
export const nothing = '–'

export const percent = (rate: number | null): string => (rate === null ? nothing : `${Math.round(rate * 1000) / 10} %`)

export const seconds = (value: number | null): string => (value === null ? nothing : duration(value * 1000))

export const perDay = (value: number | null): string =>
  value === null ? nothing : t('pipelines-ui-report-per-day', { count: Math.round(value * 100) / 100 })
