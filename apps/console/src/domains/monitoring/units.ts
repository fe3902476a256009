import type { Measured } from '@gantry/contract/monitoring/metrics'
import { language, t } from '../../api/language.ts'
import { bytes } from '../../ui/format.ts'

const locale = language === 'zh' ? 'zh-CN' : 'en'
const three = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 })
const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })

export interface Unit {
  format: (value: number) => string
  binary?: boolean
  ceiling?: number
}

/** The format and the scale of each unit. */
export const units: Readonly<Record<Measured['unit'], Unit>> = {
  cores: { format: (value) => t('monitoring-ui-cores', { value: three.format(value) }) },
  bytes: { format: bytes, binary: true },
  bytesPerSecond: { format: (value) => t('monitoring-ui-per-second', { value: bytes(value) }), binary: true },
  pods: { format: (value) => three.format(value) },
  percent: { format: (value) => `${tenths.format(value)} %`, ceiling: 100 },
}
