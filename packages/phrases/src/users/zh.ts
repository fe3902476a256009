import type { en } from './en.ts'

export const zh = {
  'user-name-format': '用户名为 2 到 30 个字符，只能包含字母、数字、点、短横线和下划线，且以字母或数字开头',
  'user-name-taken': '用户名 {name} 已被使用，请更换一个',
  'user-email-taken': '邮箱 {email} 已属于其他用户，请更换一个',
  'user-missing': '该用户不存在或已被删除',
  'user-forbidden': '只有管理员可以修改其他用户',
  'user-last-admin': '这是最后一位管理员，请先指定另一位管理员',
  'nickname-length': '昵称为 2 到 20 个字符',
  'email-length': '邮箱为 6 到 30 个字符',
  'email-format': '邮箱格式不正确，应类似 name@example.com',

  'user-type-IDENTITY': '本地用户',
  'user-type-LDAP': 'LDAP',
  'user-type-OAUTH': 'OAuth',
} satisfies Record<keyof typeof en, string>
