import type { en } from './en.ts'

export const zh = {
  'products-ui-about': '团队的产品。一个产品以应用栈的形式运行在一个或多个集群上。',
  'products-ui-create': '创建产品',
  'products-ui-search': '按名称搜索',
  'products-ui-name': '名称',
  'products-ui-description': '描述',
  'products-ui-stacks': '应用栈',
  'products-ui-changed': '更新时间',
  'products-ui-none': '还没有产品',
  'products-ui-none-memo': '产品把开发、测试和生产中运行它的应用栈汇集在一起。先给产品起个名字。',
  'products-ui-none-chosen': '无',
  'products-ui-edit-title': '编辑产品 {name}',
  'products-ui-delete-title': '删除产品 {name}？',
  'products-ui-delete-text': '该产品没有应用栈。流水线和镜像不受影响。',
  'products-ui-app-about': '运行该产品的应用栈。',
  'products-ui-stack-create': '创建应用栈',
} satisfies Record<keyof typeof en, string>
