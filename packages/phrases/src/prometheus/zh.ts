import type { en } from './en.ts'

export const zh = {
  'prometheus-credentials': '{host} 处的 Prometheus 拒绝了所用的凭据。管理员可在集群的监控设置中更换凭据',
  'prometheus-forbidden': '{host} 处的 Prometheus 不允许所用的凭据进行查询。请向其管理员申请读取权限',
  'prometheus-not-one': '{host} 处没有 Prometheus 的查询接口。请检查地址，并带上 Prometheus 的访问路径',
  'prometheus-refused': '{host} 处的 Prometheus 拒绝了该查询：{reason}',
  'prometheus-slow': '{host} 处的 Prometheus 执行该查询耗时过长。请缩短时间范围，或稍后重试',
  'prometheus-error': '{host} 处的 Prometheus 报告错误（状态码 {status}）：{reason}。请联系其管理员',
  'prometheus-resting': '{host} 处的 Prometheus 已连续多次失败，将暂停访问 {seconds} 秒。恢复应答后图表会自动显示',
} satisfies Record<keyof typeof en, string>
