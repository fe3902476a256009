import type { en } from './en.ts'

export const zh = {
  'ingress-ui-tab': 'Ingress',
  'ingress-ui-groups': 'Ingress 组',
  'ingress-ui-groups-about':
    '该集群的 Ingress 控制器及其对应的类，以及为其承接流量的主机。可在主机的操作菜单中设置是否承接流量。',
  'ingress-ui-name': '名称',
  'ingress-ui-way': '类型',
  'ingress-ui-controller': '控制器',
  'ingress-ui-first': '默认',
  'ingress-ui-hosts': '承接流量的主机',
  'ingress-ui-hosts-none': '尚无主机',
  'ingress-ui-age': '存在时间',
  'ingress-ui-none': '没有 Ingress 组',
  'ingress-ui-create': '添加 Ingress 组',
  'ingress-ui-name-help': '供服务选择。由小写字母、数字、点和连字符组成，最多 63 个字符。',
  'ingress-ui-controller-help':
    '为该组提供服务的控制器，按其自身的标识填写，例如 traefik.io/ingress-controller。请先安装控制器：添加组并不会启动控制器。',
  'ingress-ui-default-set': '设为默认组',
  'ingress-ui-default-help': '供未选择组的服务和 Ingress 使用。',
  'ingress-ui-goes-group': '组 {name}；控制器会保留',
  'ingress-ui-remove-title': '删除 Ingress 组 {name}？',
  'ingress-ui-remove-text': '删除后服务将不能再选择该组。仍有 Ingress 使用时不能删除。',
  'ingress-ui-remove-default': '这是默认组：未选择组的服务将没有入口。',
  'ingress-ui-with-controller': 'GatewayClass 随控制器而来：请在控制器处删除',
  'ingress-controller-format': '请按“域名/路径”的格式填写控制器，例如 traefik.io/ingress-controller（最多 250 个字符）',
  'ingress-group-exists': '名为 {name} 的 Ingress 组已存在，请使用其他名称。',
  'ingress-group-default-taken':
    '{name} 已是默认组；存在两个默认组的集群会拒绝未选择组的服务。请取消默认标记后再添加，或先删除 {name}。',
  'ingress-group-in-use': '仍有 Ingress 使用组 {name}（{count} 个）：{ingresses}。请先删除，或改用其他组。',
  'ingress-group-gateway': '{name} 是 GatewayClass，随控制器而来。请与控制器一同删除。',
  'ingress-group-missing': '该集群中已没有 Ingress 组 {name}',
  'ingress-ui-none-memo':
    'Ingress 组属于某个 Ingress 控制器：请先在集群中安装控制器（通常自带 GatewayClass 或 IngressClass），也可以在此为其添加组，再在需要承接流量的主机的操作菜单中选择“承接 Ingress 流量”',
} satisfies Record<keyof typeof en, string>
