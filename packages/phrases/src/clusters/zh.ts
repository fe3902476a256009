import type { en } from './en.ts'

export const zh = {
  'permission.resource_cluster_view': '查看集群',
  'clusters-name-taken': '已存在名为 {name} 的集群，请更换名称',
  'clusters-in-use': '集群 {name} 上还有应用栈：{stacks}，请先删除',
  'clusters-sandbox-kept': '沙箱属于本系统，如不需要请以 GANTRY_SANDBOX=off 启动',
  'clusters-rights-missing': '凭据在集群中缺少权限：{rights}。请为 kubeconfig 中的账号授权或更换账号',
  'clusters-shared': '多个团队共用此集群，因此只有系统管理员可以更改其主机和存储。请联系管理员，或申请独享的集群',
  'clusters-one-way': '请选择一种接入方式：kubeconfig、服务器地址加令牌，或代理',
  'host-name': '主机名称无效',
  'label-key': '键最多 63 个字母、数字、-、_ 或点，以字母或数字开头和结尾，前面可带域名和斜杠',
  'label-value': '值最多 63 个字母、数字、-、_ 或点，以字母或数字开头和结尾',
  'range-order': '时间范围无效：开始时间须早于结束时间，均为 1970 年以来的毫秒数',
  'range-step': '步长须为 1 到 86400 的秒数',
  'storage-server-required': '请输入存储服务器地址',
  'storage-path-root': '请输入以 / 开头的路径，且不能为 /',
  'storage-capacity': '容量须大于 0 GiB，且不超过 1000000',
  'storage-access-modes': '请至少选择一种访问模式',
  'storage-provisioner': '请输入驱动的供应者名称：字母、数字、点、斜杠和短横线',
} satisfies Record<keyof typeof en, string>
