import type { en } from './en.ts'

export const zh = {
  // Refusals
  'products-name-taken': '团队中已存在名为 {name} 的产品，请更换名称',
  'products-image-missing': '该产品没有图片',
  'products-image-format': '该文件不是 2,500 万像素以内的 JPEG 或 PNG 图片，请更换一张',
  'products-in-use': '产品 {name} 下还有 {count} 个应用栈，请先删除或移到其他产品',

  // Screens
  'products-ui-about': '团队的产品。一个产品以应用栈的形式运行在一个或多个集群上。',
  'products-ui-create': '创建产品',
  'products-ui-search': '按名称搜索',
  'products-ui-name': '名称',
  'products-ui-description': '描述',
  'products-ui-stacks': '应用栈',
  'products-ui-none': '还没有产品',
  'products-ui-none-memo': '产品汇集了运行它的应用栈，例如开发、测试和生产环境的应用栈。先给产品起个名字。',
  'products-ui-none-chosen': '无',
  'products-ui-edit-title': '编辑产品 {name}',
  'products-ui-delete-title': '删除产品 {name}？',
  'products-ui-delete-text': '该产品没有应用栈。流水线和镜像不受影响。',
  'products-ui-app-about': '运行该产品的应用栈',
  'products-ui-parts': '产品的各部分',
  'products-ui-versions': '版本',
  'products-ui-delete-versions': '{count} 个版本及其蓝图',
  'products-ui-clone': '克隆',
  'products-ui-clone-title': '克隆产品 {name}',
  'products-ui-clone-memo': '副本包含其版本和图片，不包含应用栈。',
  'products-ui-image': '选择图片',
  'products-ui-image-title': '{name} 的图片',
  'products-ui-image-memo': 'JPEG 或 PNG 图片，不超过 500 kB，裁剪显示中间部分',
  'products-ui-image-size': '图片超过 500 kB，请选择较小的图片',
  'products-ui-image-set': '图片已设置',
  'products-ui-stack-create': '创建应用栈',
} satisfies Record<keyof typeof en, string>
