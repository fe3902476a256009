import type { en } from './en.ts'

export const zh = {
  'news-title': '{version} 版新功能',
} satisfies Record<keyof typeof en, string>
