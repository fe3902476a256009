import type { en } from './en.ts'

export const zh = {
  'notifications-error-too-long': '错误信息最多 1000 个字符',
  'notifications-error': '{text}',

  'notifications-build-success': '{pipeline} #{number} 构建成功',
  'notifications-build-failed': '{pipeline} #{number} 构建失败',
  'notifications-build-aborted': '{pipeline} #{number} 已被停止',
  'notifications-upgrade-ready': '应用栈 {stack} 中服务 {service} 的新版本已就绪，请确认或回滚',
  'notifications-service-failed': '应用栈 {stack} 中的服务 {service} 失败',
  'notifications-drain-done': '集群 {cluster} 的主机 {host} 已驱逐完毕',
  'notifications-drain-stopped': '集群 {cluster} 的主机 {host} 的驱逐已停止',
  'notifications-drain-failed': '集群 {cluster} 的主机 {host} 驱逐失败',

  'notifications-title': '通知',
  'notifications-bell': '通知，{count} 条未读',
  'notifications-bell-none': '通知，没有未读',
  'notifications-none': '还没有通知',
  'notifications-none-memo': '您启动的构建、升级和驱逐结束后，以及出现的错误，都会列在这里。',
  'notifications-read-all': '全部标为已读',
  'notifications-read-one': '标为已读',
  'notifications-unread': '未读',
  'notifications-older': '显示更早的通知',
  'notifications-in-team': '团队 {team}',
} satisfies Record<keyof typeof en, string>
