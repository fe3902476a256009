import type { en } from './en.ts'

export const zh = {
  'permission.image_registry_view': '查看镜像仓库',
  'permission.image_registry_create': '创建镜像仓库',
  'permission.image_registry_edit': '编辑镜像仓库',
  'permission.image_registry_delete': '删除镜像仓库',
  'images-registry-shared': '镜像仓库 {name} 由平台共享，仅管理员可以修改',
  'images-registry-name-taken': '已存在名为 {name} 的镜像仓库，请更换名称',
  'images-registry-in-use-services': '镜像仓库 {name} 正被服务 {services} 使用，请先修改这些服务',
  'images-registry-in-use': '镜像仓库 {name} 正被流水线 {pipelines} 使用，请先修改这些流水线',
} satisfies Record<keyof typeof en, string>
