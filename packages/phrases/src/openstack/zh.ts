import type { en } from './en.ts'

export const zh = {
  'openstack-name-format': '名称最多 64 个小写字母和数字，中间可用单个点或短横线分隔',
  'openstack-username-required': '请输入用户名',
  'openstack-password-required': '请输入密码',
  'openstack-project-required': '请输入项目名称',
  'zones-project-required': '请选择项目',
  'zones-security-groups-required': '请至少选择一个安全组',
  'zones-pod-subnet-required': '请选择容器组子网',
  'zones-service-subnet-required': '请选择服务子网',
  'zones-worker-subnet-required': '请选择工作节点子网',
  'zones-ip-order': '起始地址须小于结束地址',
  'zones-link-iface': '网络接口最多 15 个字母、数字、点、短横线或下划线',
  'zones-driver': '驱动名称只能包含字母、数字、点、短横线和下划线',

  // What OpenStack answers, or does not
  'openstack-password-refused':
    '{host} 拒绝了域 {domain} 中的用户 {user} 或其密码。请检查这三项；OpenStack 不会说明该用户是否被停用。',
  'openstack-project-refused': '域 {domain} 中没有项目 {project}，或该用户无权使用。该用户可使用的项目：{projects}。',
  'openstack-project-none':
    '该用户无权使用域 {domain} 中的项目 {project}，也没有其他可用项目。请在该项目中为其分配角色。',
  'openstack-domain-refused': '该用户可使用项目 {project}，但该项目不在域 {domain} 中。请填写项目所在的域。',
  'openstack-not-keystone':
    '{host} 上响应的不是 Keystone（身份 API v3）。请填写其地址，例如 https://keystone.example.org:5000/v3。',
  'openstack-trouble': '{host} 上的 OpenStack 目前无法响应（状态码 {status}）。请稍后重试。',
  'openstack-no-network': 'Keystone 的服务目录中没有网络服务（Neutron）的公开地址。请在目录中添加。',
  'openstack-network-blocked':
    'Keystone 的服务目录将 {host} 列为网络服务，但该地址位于本机或保留网段，无法使用。Gantry 的运维人员可通过 GANTRY_OUTBOUND_ALLOW 放行。',
  'openstack-network-forbidden': '{host} 上的网络服务不允许该用户读取。请在项目中为该用户分配角色。',
  'openstack-name-taken': '该环境中已存在名为 {name} 的 OpenStack，请更换名称',
  'openstack-removing': 'OpenStack {name} 正在删除。请再次删除以继续，或选择其他 OpenStack',

  // What a zone is made from
  'zones-project-unknown': 'OpenStack 中没有该项目，或该连接的用户无权使用。请选择其他项目',
  'zones-subnet-unknown': '该项目中没有这个 IPv4 子网，请重新选择',
  'zones-security-group-unknown': '该项目中没有安全组 {id}，请重新选择',
  'zones-reserved-outside': '{start} 至 {end} 不在容器组子网（{cidr}）内',
  'zones-check-failed': '无法保存区域：{problem}',
  'zones-in-cluster':
    '集群的命名空间 {namespace} 中已有 ConfigMap 或 Secret {name}，它属于他人或其他环境的区域。请更换名称，或先在集群中将其删除。',
  'zones-gone': '写入期间，该区域或其 OpenStack 已被删除。集群中没有留下任何内容。',
} satisfies Record<keyof typeof en, string>
