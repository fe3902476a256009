import type { en } from './en.ts'

export const zh = {
  'pods-loading': '正在首次读取该集群，列表稍后就会显示完整。',
} satisfies Record<keyof typeof en, string>
