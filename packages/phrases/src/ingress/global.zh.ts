import type { en } from './global.en.ts'

export const zh = {
  'global-ingress-one-of': '请按端口查询，或按协议和域名查询',
  'global-ingress-about': '所有集群上通向本团队应用栈的域名和端口。',
  'global-ingress-about-every': '所有团队、所有集群上通向应用栈的域名和端口。',
  'global-ingress-port': '端口 {port}',
  'global-ingress-none': '没有访问入口',
  'global-ingress-none-memo': '应用栈中的负载均衡或 Ingress 会开放域名和端口，并在此列出。',
  'global-ingress-search': '搜索域名、服务、应用栈和集群',
  'global-ingress-host': '域名',
  'global-ingress-every-host': '所有域名',
  'global-ingress-path': '路径',
  'global-ingress-number': '端口',
  'global-ingress-protocol': '协议',
  'global-ingress-all-protocols': '全部协议',
  'global-ingress-service': '服务',
  'global-ingress-stack': '应用栈',
  'global-ingress-cluster': '集群',
  'global-ingress-team': '团队',
  'global-ingress-address': '访问地址',
} satisfies Record<keyof typeof en, string>
