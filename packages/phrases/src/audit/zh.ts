import type { en } from './en.ts'

export const zh = {
  'time-invalid': '时间无效，请使用自 1970 年起的毫秒数，0 表示不限',
  'time-range-invalid': '开始时间晚于结束时间',
} satisfies Record<keyof typeof en, string>
