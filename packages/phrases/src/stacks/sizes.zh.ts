import type { en } from './sizes.en.ts'

export const zh: Record<keyof typeof en, string> = {
  'sizes-ui-title': '合适的规格',
  'sizes-ui-memo':
    '最近 {days} 天内每个实例的用量与其配置相差较大。请求值依据通常用量，限额为测得的最高用量再加一半。两次测量之间的短暂峰值不会显示。',
  'sizes-ui-cpuRequest': 'CPU 请求',
  'sizes-ui-cpu': 'CPU 限额',
  'sizes-ui-memoryRequest': '内存请求',
  'sizes-ui-memory': '内存限额',
  'sizes-ui-open': '按此打开升级',
  'sizes-ui-filled': '已按实际用量填入请求值和限额，提交前不会有任何变更。',
}
