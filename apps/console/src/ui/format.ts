import { language, t, type PhraseKey } from '../api/language.ts'

export type Moment = string | number | Date

const pad = (n: number, digits = 2): string => String(n).padStart(digits, '0')
const day = (at: Date): string => [pad(at.getFullYear(), 4), pad(at.getMonth() + 1), pad(at.getDate())].join('-')
const clock = (at: Date): string => [at.getHours(), at.getMinutes(), at.getSeconds()].map((n) => pad(n)).join(':')

/** YYYY-MM-DD HH:mm:ss in the browser's zone. */
export function exactTime(at: Moment): string {
  const date = new Date(at)
  return `${day(date)} ${clock(date)}`
}

/** HH:mm:ss and tenths, for lines in a column. */
export function clockTime(at: Moment): string {
  const date = new Date(at)
  return `${clock(date)}.${Math.floor(date.getMilliseconds() / 100)}`
}

/** The exact time with the time zone: 2026-01-02 11:04:05 UTC+08:00. */
export function zonedTime(at: Moment): string {
  const east = -new Date(at).getTimezoneOffset()
  const [hours, minutes] = [Math.floor(Math.abs(east) / 60), Math.abs(east) % 60]
  return `${exactTime(at)} UTC${east < 0 ? '-' : '+'}${pad(hours)}:${pad(minutes)}`
}

const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat(language === 'zh' ? 'zh-CN' : 'en', { numeric: 'auto', style: 'short' })

/** Chinese is separated from figures by a space, as in the phrases. */
const apart = (text: string): string => text.replaceAll(/(?<=\d)(?=\p{Script=Han})/gu, ' ')

export function relativeTime(at: Moment, now: number = Date.now()): string {
  const seconds = Math.round((new Date(at).getTime() - now) / 1000)
  const step = steps.find(([, size]) => Math.abs(seconds) >= size)
  return step ? apart(relative.format(Math.trunc(seconds / step[1]), step[0])) : t('ui-just-now')
}

/** 1.5 GiB: binary units, as clusters and registries count. */
export function bytes(count: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  let at = 0
  let size = count
  while (Math.abs(size) >= 1024 && at < units.length - 1) {
    size /= 1024
    at += 1
  }
  return `${at === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[at] ?? ''}`
}

/** 840 ms, 9.4 s, 3 min 5 s, 2 h 14 min, 3 d 4 h; 840 毫秒, 3 分 5 秒. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ${t('ui-unit-ms')}`
  const seconds = ms / 1000
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} ${t('ui-unit-s')}`
  const two = (big: number, bigUnit: PhraseKey, small: number, smallUnit: PhraseKey): string =>
    `${big} ${t(bigUnit)}${small === 0 ? '' : ` ${small} ${t(smallUnit)}`}`
  const whole = Math.round(seconds)
  if (whole < 3600) return two(Math.floor(whole / 60), 'ui-unit-min', whole % 60, 'ui-unit-s')
  if (whole < 86_400) return two(Math.floor(whole / 3600), 'ui-unit-h', Math.floor((whole % 3600) / 60), 'ui-unit-min')
  return two(Math.floor(whole / 86_400), 'ui-unit-d', Math.floor((whole % 86_400) / 3600), 'ui-unit-h')
}

const grouped = new Intl.NumberFormat(language === 'zh' ? 'zh-CN' : 'en')
export const count = (n: number): string => grouped.format(n)
