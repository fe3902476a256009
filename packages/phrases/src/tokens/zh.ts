import type { en } from './en.ts'

export const zh = {
  'alias-too-long': '别名不能超过 30 个字符',
  'alias-format': '别名以字母或数字开头，只能包含字母、数字、空格、点、短横线和下划线',
  'token-days': '令牌有效期最长 3650 天，须为整数；0 表示永不过期',
  'token-alias-taken': '团队中已有名为 {alias} 的 API 令牌，请更换别名',
  'token-permissions-none': '请至少选择一个权限，否则令牌无法使用',
  'token-grant-lacking': '令牌不能包含您自己没有的权限：{keys}',
  'tokens-too-many': '每个团队最多 {maximum} 个 API 令牌，请先删除不再使用的令牌',

  'permission.team_token_view': '查看团队的 API 令牌（不含密钥）',
  'permission.team_token_create': '创建包含自己权限的 API 令牌',
  'permission.team_token_delete': '删除团队的 API 令牌',
} satisfies Record<keyof typeof en, string>
