import type { en } from './en.ts'

export const zh = {
  'input-userinfo': '请输入用户名和密码',
  'user-Unknown-team': '您还未加入任何团队，请联系管理员将您加入团队',
  'valid-old-pwd': '请输入当前密码',
  'valid-new-pwd': '请输入新密码',
  'valid-pwd-count': '密码长度为 6 到 20 个字符',
  'valid-pwd-strenght': '密码过于简单，请加长密码或避免使用常见单词',
  'valid-write-new-pwd': '请再次输入新密码',
  'valid-pwd-diff': '两次输入的密码不一致',
} satisfies Record<keyof typeof en, string>
