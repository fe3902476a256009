import type { en } from './en.ts'

export const zh = {
  'catalog-name-taken': '已有名为 {name} 的预置服务，请换一个名称。',
  'catalog-changed': '{by} 刚刚修改了预置服务 {name}，请刷新后重新修改。',
  'catalog-used-meanwhile': '刚刚有团队部署了 {name}，请刷新查看是哪个团队。',
  'catalog-tag-taken': '已有名为 {name} 的标签，请换一个名称。',
  'catalog-tag-in-use': '有 {count} 个预置服务带有标签 {name}，使用中，无法删除。请先从这些预置服务上移除该标签。',
  'catalog-tag-gone': '所选标签中有一个已被删除，请刷新后重新选择。',
  'catalog-team-gone': '所选团队中有一个已被删除，请刷新后重新选择。',
  'catalog-version-taken': '版本号重复：该预置服务已有版本 {version}，请换一个版本号。',
  'catalog-version-in-use':
    '团队 {team} 的应用栈 {stack} 正在运行 {name}，使用中，无法删除。如不希望再被部署，可将其改为草稿。',
  'catalog-source': '请指明要部署的内容：产品的一个版本（blueprintId），或预置服务的一个版本（templateId），二者选一',
  'catalog-shipped-postgresql': '关系型数据库。单实例，带独立存储卷；部署时需填写数据库所有者的密码。',
  'catalog-shipped-mariadb': '兼容 MySQL 的关系型数据库。单实例，带独立存储卷；部署时需填写数据库所有者的密码。',
  'catalog-shipped-redis': '内存键值存储，用于缓存和会话。单实例，数据保存在存储卷中；部署时需填写密码。',
  'catalog-shipped-nats': '服务之间的消息系统，支持持久化的流。单实例，带独立存储卷；部署时需填写用户密码。',
} satisfies Record<keyof typeof en, string>
