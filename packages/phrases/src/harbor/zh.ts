import type { en } from './en.ts'

export const zh: Record<keyof typeof en, string> = {
  'harbor-username-required': '请输入 Harbor 管理员的用户名',
  'harbor-password-required': '请输入密码',
  'harbor-project-length': '项目名称的长度为 4 到 30 个字符',
  'harbor-project-format': '项目名称由小写字母、数字、_ 和 - 组成，并以字母或数字开头和结尾',
  'harbor-repository-format': '镜像库名称无效。格式应类似 project/service，使用小写。',
  'harbor-tag-format': '标签无效',
  'harbor-digest-format': '摘要无效。格式应为 sha256: 加 64 位十六进制数字。',
  'harbor-name-taken': '名为 {name} 的 Harbor 已存在，请换一个名称。',
  'harbor-changed': 'Harbor {name} 已被他人修改，请刷新页面后重新填写。',
  'harbor-simulated': 'Harbor {name} 是产品自带的模拟服务，不能修改。',
  'harbor-in-use': '以下团队在 Harbor {name} 中有项目：{teams}。请先收回这些项目。',
  'harbor-project-taken': '该 Harbor 中已存在名为 {name} 的项目，请换一个名称。',
  'harbor-project-in-use': '团队 {team} 的以下服务正在使用项目 {name}：{services}。请先修改这些服务。',
  'harbor-tag-or-digest': '请指定标签或摘要',
  'harbor-tag-moved': '标签 {tag} 现在指向另一个镜像，请刷新列表。',
  'harbor-report-none': '该镜像没有扫描报告，请先扫描。',
  'harbor-outside-project': '镜像库 {repo} 不在项目 {project} 中。',
  'harbor-same-project': '来源与目标是同一个项目，请选择其他目标。',

  'harbor-credentials': '{host} 拒绝了用户名或密码，请检查。',
  'harbor-not-one': '{host} 上的服务不是 Harbor，请检查地址和端口。',
  'harbor-not-administrator':
    '{username} 不是 {host} 上 Harbor 的管理员。请填写管理员账号：平台用它创建项目和机器人账号。',
  'harbor-version': '{host} 上的 Harbor 版本为 {version}。需要 Harbor 2 的 {oldest} 或更高版本。',
  'harbor-forbidden': '{host} 不允许已保存的账号执行此操作：{reason}',
  'harbor-protected': '{host} 因项目的规则（例如不可变标签）拒绝了此操作：{reason}',
  'harbor-conflict': '{host} 报告冲突：{reason}',
  'harbor-refused': '{host} 拒绝了请求（状态码 {status}）：{reason}',
  'harbor-error': '{host} 报告内部错误（状态码 {status}）：{reason}。请稍后重试。',
  'harbor-resting': '{host} 连续多次失败，已暂停向它发送请求。请在 {seconds} 秒后重试。',
}
