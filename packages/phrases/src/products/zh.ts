import type { en } from './en.ts'

export const zh = {
  // Refusals
  'products-name-taken': '团队中已存在名为 {name} 的产品，请更换名称',
  'products-in-use': '产品 {name} 下还有 {count} 个应用栈，请先删除或移到其他产品',

  // Screens
  'products-ui-about': '团队的产品。一个产品以应用栈的形式运行在一个或多个集群上。',
  'products-ui-create': '创建产品',
  'products-ui-search': '按名称搜索',
  'products-ui-name': '名称',
  'products-ui-description': '描述',
  'products-ui-stacks': '应用栈',
  'products-ui-changed': '更新时间',
  'products-ui-none': '还没有产品',
  'products-ui-none-memo': '产品汇集了运行它的应用栈，例如开发、测试和生产环境的应用栈。先给产品起个名字。',
  'products-ui-none-chosen': '无',
  'products-ui-edit-title': '编辑产品 {name}',
  'products-ui-delete-title': '删除产品 {name}？',
  'products-ui-delete-text': '该产品没有应用栈。流水线和镜像不受影响。',
  'products-ui-app-about': '运行该产品的应用栈',
  'products-ui-stack-create': '创建应用栈',
} satisfies Record<keyof typeof en, string>
