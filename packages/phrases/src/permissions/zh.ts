import type { en } from './en.ts'

export const zh = {
  'permission.system_agent_view': '查看构建代理及其运行情况',
  'permission.system_audit_view': '查看整个平台的审计日志',
  'permission.system_cluster_view': '查看所有集群及使用集群的团队',
  'permission.system_ldap_view': '查看 LDAP 目录及其映射（不含密码）',
  'permission.system_oauth_view': '查看单点登录配置（不含密钥）',
  'permission.system_setting_view': '查看系统设置：登录策略、邮件、主机',
  'permission.system_user_view': '查看所有用户及其团队和状态',
  'permission.team_audit_view': '查看团队内所有人的操作记录（审计日志）',
} satisfies Record<keyof typeof en, string>
