import type { en } from './en.ts'

export const zh = {
  'ingress-ui-tab': 'Ingress',
  'ingress-ui-groups': 'Ingress 组',
  'ingress-ui-groups-about': '该集群的 Ingress 控制器，以及为其承接流量的主机。可在主机的操作菜单中设置是否承接流量。',
  'ingress-ui-name': '名称',
  'ingress-ui-controller': '控制器',
  'ingress-ui-first': '默认',
  'ingress-ui-hosts': '承接流量的主机',
  'ingress-ui-hosts-none': '尚无主机',
  'ingress-ui-age': '存在时间',
  'ingress-ui-none': '没有 Ingress 组',
  'ingress-ui-none-memo':
    'Ingress 组由 Ingress 控制器提供：请先在集群中安装控制器及其 IngressClass，再在需要承接流量的主机的操作菜单中选择“承接 Ingress 流量”',
} satisfies Record<keyof typeof en, string>
