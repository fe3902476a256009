import { t } from '../../../api/language.ts'
import { duration } from '../../../ui/format.ts'

/**
 * How long something took, or has taken so far, including the time before a retry. Clocks differ: a start in the
 * browser's future counts as now. While it runs, whole seconds are shown, so that the figure does not flicker.
 */
export function elapsed(from: string | null, to: string | null, now: number, earlierSeconds = 0): string {
  if (from === null) return ''
  const ms = earlierSeconds * 1000 + Math.max(0, (to === null ? now : Date.parse(to)) - Date.parse(from))
  if (to !== null) return duration(ms)
  const whole = Math.floor(ms / 1000)
  return whole < 60 ? `${whole} ${t('ui-unit-s')}` : duration(whole * 1000)
}
