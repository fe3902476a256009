import type { en } from './en.ts'

export const zh = {
  'mail-greeting': '{name}，您好：',
  'mail-signature': '此邮件由 {product} 自动发送，请勿回复。',
  'mail-test-subject': '{product}：测试邮件',
  'mail-test-text': '{product} 的邮件设置可用。此测试由 {user} 发送。',
  'mail-account-created-subject': '{product}：您的账户',
  'mail-account-created-text':
    '已在 {product} 中为您创建账户，用户名为 {userName}。\n\n初始密码由管理员告知，首次登录时请设置自己的密码。\n\n{link}',
  'mail-registered-subject': '{product}：{userName} 已注册',
  'mail-registered-text':
    '{userName}（{email}）已在 {product} 注册，正在等待批准。\n\n请在用户列表中批准或拒绝：\n\n{link}',
  'mail-approved-subject': '{product}：您现在可以登录',
  'mail-approved-text': '管理员已批准您的注册。请以 {userName} 和您设置的密码登录。\n\n{link}',
  'mail-banned-by-hand': '管理员已将其封禁',
  'mail-banned-passwords': '连续多次输入错误密码',
  'mail-banned-subject': '{product}：您的账户已被封禁',
  'mail-banned-text': '账户 {userName} 已无法登录：{reason}。\n\n如非本人操作，请告知管理员。只有管理员可以解除封禁。',
  'mail-password-expiring-subject': '{product}：您的密码即将过期',
  'mail-password-expiring-text':
    '{userName} 的密码将在 {days} 天后过期，之后下次登录时须设置新密码。\n\n您可随时在个人资料中修改：\n\n{link}',
  'mail-added-to-team-subject': '{product}：您已加入团队 {team}',
  'mail-added-to-team-text': '{by} 已将您加入团队 {team}。\n\n{link}',
} satisfies Record<keyof typeof en, string>
