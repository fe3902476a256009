import type { en } from './en.ts'

export const zh = {
  'images-ui-sandbox-name': '{name}（模拟）',
  'images-ui-none-to-choose': '团队还没有镜像仓库，请在“第三方仓库”中添加',
} satisfies Record<keyof typeof en, string>
