import type { en } from './en.ts'

export const zh = {
  'mail-host': '请填写邮件服务器的主机名或地址，不含协议和路径',
  'mail-address-length': '电子邮件地址最长 254 个字符',
  'mail-not-set': '尚未设置邮件，请先填写邮件服务器。',
  'mail-password-again': '该密码属于另一台服务器或另一用户，请重新输入。',
  'mail-wrong-password': '{host} 拒绝了用户名或密码，其回复为：{answer}。请检查两者；部分服务器需要应用专用密码。',
  'mail-recipient-refused': '{host} 拒绝了收件人 {to}，其回复为：{answer}',
  'mail-sender-refused': '{host} 拒绝了发件人，其回复为：{answer}。请使用允许发送的地址。',
  'mail-refused': '{host} 拒绝了该邮件，其回复为：{answer}',
  'mail-later': '{host} 暂不接收邮件，其回复为：{answer}',
  'mail-no-tls': '{host} 未按要求使用 TLS。请选择其他安全方式或其他端口。',
  'mail-broken': '{host} 中断了连接，或并非 SMTP 服务。请检查地址和端口。',
  'mail-given-up': '24 小时内未能送达。最后一次原因：{reason}',
} satisfies Record<keyof typeof en, string>
