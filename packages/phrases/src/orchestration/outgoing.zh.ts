import type { en } from './outgoing.en.ts'

export const zh: Record<keyof typeof en, string> = {
  'pipelines-ui-step-mail': '邮件',
  'pipelines-ui-step-copy': '复制镜像',
  'pipelines-ui-mail-to': '收件人',
  'pipelines-ui-mail-to-help': '团队成员的用户名或邮箱地址。',
  'pipelines-ui-mail-subject': '主题',
  'pipelines-ui-mail-text': '正文',
  'pipelines-ui-mail-text-help': '在正文和主题中，{output} 表示输出，{variable} 表示变量。含有机密时不会发送。',
  'pipelines-ui-copy-registry': '镜像所在的镜像仓库',
  'pipelines-ui-copy-image': '镜像',
  'pipelines-ui-copy-image-help': '写成 path:tag 或 path@digest；{output} 表示镜像步骤推送的内容。',
  'pipelines-ui-copy-target': '复制到的镜像仓库',
  'pipelines-ui-copy-target-help': '团队的镜像仓库之一。会复制镜像的所有平台。',
  'pipelines-lint-mail-recipient': '步骤 {step} 的收件人 {name} 不是有邮箱地址的团队成员。请选择其他收件人。',
  'pipelines-mail-off': '平台未启用邮件。请联系管理员设置邮件服务器。',
  'pipelines-mail-unknown': '以下收件人不是有邮箱地址的团队成员：{names}。请在步骤中选择其他收件人。',
  'mail-step-to': '请至少输入一个用户名或邮箱地址，每个不超过 254 个字符。',
  'mail-step-subject': '请输入不超过 200 个字符的单行主题。',
  'mail-step-text': '请输入邮件正文。',
  'mail-step-signature': '此邮件由 {product} 中团队 {team} 的流水线 {pipeline} 的构建 #{number} 发送，请勿回复。',
  'copy-from': '请按 path:tag 或 path@digest 输入镜像，不超过 500 个字符且不含空格。',
}
