import type { en } from './file.en.ts'

export const zh = {
  'audit-result-1': '成功',
  'audit-result-0': '被拒绝',
  'audit-csv-broken': '文件不完整：读取其余部分失败。请重新导出。',
  'audit-csv-time': '时间（UTC）',
  'audit-csv-user': '用户',
  'audit-csv-address': '地址',
  'audit-csv-team': '团队',
  'audit-csv-action': '操作',
  'audit-csv-object': '对象',
  'audit-csv-result': '结果',
  'audit-csv-reason': '原因',
  'audit-csv-duration': '耗时（毫秒）',
} satisfies Record<keyof typeof en, string>
