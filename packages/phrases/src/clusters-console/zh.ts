import type { en } from './en.ts'

export const zh = {
  'state-credentials': '凭据被拒',
} satisfies Record<keyof typeof en, string>
