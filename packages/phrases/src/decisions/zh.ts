import type { en } from './en.ts'

export const zh = {
  'decisions-review': '{pipeline} #{number} 开始前需要审核',
  'decisions-fork': '{pipeline} #{number} 来自派生仓库的合并请求，等待放行',
  'decisions-approval': '{pipeline} #{number} 的阶段 {stage} 需要审批',
  'decisions-start': '{pipeline} #{number} 的阶段 {stage} 可以启动',
  'decisions-upgrade': '{stack} 中 {name} 的升级已就绪：请确认或回滚',
  'decisions-upgrade-step': '{stack} 中 {name} 的灰度发布已暂停：请继续或取消',
  'decisions-release': '应用栈 {stack} 的发布 {version} 已就绪：请确认或回滚',
  'decisions-account': '{name}（{email}）已注册，等待批准',
  'decisions-cluster': '另一个集群代替 {name} 应答：请说明是否符合预期',

  'decisions-bell': '{bell}，{count} 项等待您决定',
  'decisions-ui-title': '等待您决定',
  'decisions-ui-by': '由 {name} 发起',
  'decisions-ui-until': '截止',
  'decisions-ui-open': '查看',
  'decisions-ui-let-in': '批准注册',
  'decisions-ui-older': '显示全部 {count} 项',
  'decisions-ui-more': '还有更多，处理完这些后会继续显示。',

  'decisions-mail-off': '尚未设置邮件服务器，因此不会发送邮件。请管理员在“系统设置”的“邮件”中设置。',
  'decisions-mail-nowhere': '您的个人资料中没有邮箱地址，无法收到邮件。请先在上方填写。',
  'decisions-ui-mail': '邮件',
  'decisions-ui-mail-on': '有决定等待我时发邮件通知我',
  'decisions-ui-mail-help': '每项决定只通知一次：您可以决定的审核、审批、升级、发布和注册。',
} satisfies Record<keyof typeof en, string>
