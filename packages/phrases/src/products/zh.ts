import type { en } from './en.ts'

export const zh = {
  'permission.product_product_view': '查看产品',
  'permission.product_product_create': '创建产品',
  'permission.product_product_edit': '编辑产品',
  'permission.product_product_delete': '删除产品',
  'products-name-taken': '团队中已存在名为 {name} 的产品，请更换名称',
  'products-in-use': '产品 {name} 下还有 {count} 个应用栈，请先删除或移到其他产品',
} satisfies Record<keyof typeof en, string>
