import type { en } from './en.ts'

export const zh = {
  'permission.resource_cluster_view': '查看集群',
  'clusters-name-taken': '已存在名为 {name} 的集群，请更换名称',
  'clusters-in-use': '集群 {name} 上还有应用栈：{stacks}，请先删除',
  'clusters-sandbox-kept': '沙箱属于本系统，如不需要请以 GANTRY_SANDBOX=off 启动',
  'clusters-rights-missing': '凭据在集群中缺少权限：{rights}。请为 kubeconfig 中的账号授权或更换账号',
  'clusters-shared': '多个团队共用此集群，因此只有系统管理员可以更改其主机和存储。请联系管理员，或申请独享的集群',
} satisfies Record<keyof typeof en, string>
