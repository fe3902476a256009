import type { en } from './en.ts'

export const zh = {
  'users-ui-about': '本平台的全部账号。',
  'users-ui-search': '按姓名或邮箱搜索',
  'users-ui-create': '创建用户',
  'users-ui-name': '用户名',
  'users-ui-name-help': '2 至 30 个字母、数字、点、短横线或下划线，用于登录。',
  'users-ui-nickname': '昵称',
  'users-ui-email': '邮箱',
  'users-ui-type': '账号类型',
  'users-ui-state': '状态',
  'users-ui-admin': '管理员',
  'users-ui-admin-yes': '是',
  'users-ui-admin-switch': '平台管理员',
  'users-ui-admin-help': '拥有所有团队的全部权限。',
  'users-ui-teams': '团队',
  'users-ui-teams-none': '无团队',
  'users-ui-changed': '更新时间',
  'users-ui-you': '（你）',
  'users-ui-made-title': '{name} 现在可以登录',
  'users-ui-made-text': '这是初始密码，仅显示这一次，请立即转交。首次登录时必须修改。',
} satisfies Record<keyof typeof en, string>
