import type { en } from './en.ts'

export const zh = {
  'dashboard-hello': '您好，{name}',
  'dashboard-memo': '一次变更从代码仓库到运行服务的完整路径。',
  'dashboard-no-team': '您还没有加入团队',
  'dashboard-no-team-memo': '所有资源都归属于团队，请联系管理员将您加入团队。',
  'dashboard-step-clusters': '服务运行的地方：集群、节点及剩余资源。',
  'dashboard-step-images': '存放镜像的仓库及其访问权限。',
  'dashboard-step-members': '团队成员及各自的权限。',
  'dashboard-step-pipelines': '构建、测试并打包 git 仓库。',
  'dashboard-step-products': '要部署的内容：产品及其版本。',
  'dashboard-step-stacks': '正在运行的内容：应用、服务、容器及日志。',
  'dashboard-system': '系统',
  'dashboard-team': '团队信息',
  'dashboard-team-about': '描述',
  'dashboard-team-created': '创建时间',
  'dashboard-team-creator': '创建者',
  'dashboard-team-leaders': '负责人',
  'dashboard-team-name': '名称',
  'dashboard-team-people': '人数',
} satisfies Record<keyof typeof en, string>
