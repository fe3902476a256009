import type { en } from './tapd.en.ts'

export const zh = {
  'tapd-user-required': '请输入开放 API 账号（不含冒号），公司管理员可在 TAPD 中查看',
  'tapd-password-required': '请输入 API 口令',
  'tapd-password-again': '地址或账号已更改：请重新输入口令。已保存的口令绝不会发往其他服务器。',
  'tapd-workspace-format': '项目 ID 为数字，例如 20375571，可在项目页面的地址中找到',
  'tapd-workspace-required': '请至少填写一个要关联的 TAPD 项目',
  'tapd-workspace-unknown': '该 API 账号看不到以下 TAPD 项目：{workspaces}。请检查项目 ID，或为该账号授权。',
  'tapd-login': '{host} 上的 TAPD 不接受该 API 账号和口令。请检查两者；公司管理员可在“API 账号管理”中找到。',

  // Screen
  'tapd-ui-title': 'TAPD',
  'tapd-ui-about':
    '提交信息中用 TAPD 源码关键字（例如 --story=1001234）提到的需求、缺陷和任务会显示在构建中，构建成功时可告知它们。',
  'tapd-ui-enabled': '使用 TAPD',
  'tapd-ui-url': '开放 API 地址',
  'tapd-ui-user': 'API 账号',
  'tapd-ui-password': 'API 口令',
  'tapd-ui-workspaces': '项目',
  'tapd-ui-workspaces-help': '要关联的项目 ID，例如 20375571',
  'tapd-ui-comment': '构建成功时添加评论',
  'tapd-ui-comment-help': '每次构建一条，附构建链接',
  'tapd-ui-status': '构建成功时的状态',
  'tapd-ui-status-help':
    '填写 TAPD 中的状态英文名或中文名。可用逗号分隔多个，各类工作项使用其拥有的第一个：已实现，已解决，done。留空则不修改。',
} satisfies Record<keyof typeof en, string>
