import type { en } from './en.ts'

export const zh = {
  'openstack-name-format': '名称最多 30 个小写字母和数字，中间可用单个点或短横线分隔',
  'openstack-username-required': '请输入用户名',
  'openstack-password-required': '请输入密码',
  'openstack-project-required': '请输入项目名称',
  'zones-project-required': '请选择项目',
  'zones-security-groups-required': '请至少选择一个安全组',
  'zones-pod-subnet-required': '请选择 Pod 子网',
  'zones-service-subnet-required': '请选择服务子网',
  'zones-worker-subnet-required': '请选择工作节点子网',
  'zones-ip-order': '起始地址须小于结束地址',
  'zones-link-iface': '网络接口最多 15 个字母、数字、点、短横线或下划线',
  'zones-driver': '驱动名称只能包含字母、数字、点和下划线',
} satisfies Record<keyof typeof en, string>
