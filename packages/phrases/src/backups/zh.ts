import type { en } from './en.ts'

export const zh = {
  'backups-keep': '保留 1 到 100 个备份',
  'backups-settings-changed': '在此期间，其他人已修改了备份计划。请重新加载后再次修改。',
  'backups-running': '正在备份，请等待其结束。',
  'backups-no-file': '该备份没有文件：尚未完成，或已失败',
  'backups-failed': '备份失败。原因见服务器日志；排除后请重试。',
  'backups-failed-told': '数据库备份失败：{cause}',

  // Screen
  'backups-ui-tab': '备份',
  'backups-ui-schedule': '定时备份',
  'backups-ui-about':
    '备份包含数据库中的全部内容：用户、团队、流水线、构建及其历史、应用栈、集群和设置。不包含构建的日志和文件、监控图表以及登录会话。',
  'backups-ui-enabled': '按计划备份',
  'backups-ui-cron': '时间',
  'backups-ui-cron-help': '五个字段：分、时、日、月、星期',
  'backups-ui-zone': '时区',
  'backups-ui-keep': '保留备份数',
  'backups-ui-keep-help': '更早的定时备份会被删除，手动备份会保留。',
  'backups-ui-next': '下一次',
  'backups-ui-files': '备份列表',
  'backups-ui-files-about':
    '备份与构建的日志和文件存放在同一处。请将其与本系统的密钥一起下载到安全的地方：没有密钥，恢复后的系统无法读取其中的密码和令牌。',
  'backups-ui-restore': '要恢复备份，请在服务器上使用空数据库或空数据目录运行 {command}。具体步骤见手册。',
  'backups-ui-manual': '查看恢复步骤',
  'backups-ui-now': '立即备份',
  'backups-ui-made': '备份时间',
  'backups-ui-cause': '发起者',
  'backups-ui-by-schedule': '备份计划',
  'backups-ui-state': '状态',
  'backups-ui-state-waiting': '等待中',
  'backups-ui-state-running': '备份中',
  'backups-ui-state-done': '已完成',
  'backups-ui-state-failed': '失败',
  'backups-ui-size': '大小',
  'backups-ui-release': '版本',
  'backups-ui-download': '下载',
  'backups-ui-delete-title': '删除 {time} 的备份？',
  'backups-ui-delete-memo': '备份文件也会被删除，且无法撤销。',
  'backups-ui-none': '还没有备份',
  'backups-ui-none-memo': '立即创建第一个备份，或在上方设置备份计划。',

  // npm run admin -- restore
  'backups-restored': '已恢复 {time} 的备份。所有人都需要重新登录。',
  'backups-file-unreadable': '无法读取 {file}：{reason}',
} satisfies Record<keyof typeof en, string>
