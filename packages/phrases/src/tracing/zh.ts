import type { en } from './en.ts'

export const zh = {
  'tracing-credentials': '{host} 上的 {server} 拒绝了凭据。管理员可以在集群的“链路与网格”设置中更换。',
  'tracing-forbidden': '{host} 上的 {server} 不允许使用该凭据读取，请向其管理员申请读取权限',
  'tracing-not-one': '{host} 上的服务器没有 {server} 的 API，请检查地址，包括 {server} 所在的路径',
  'tracing-error': '{host} 上的 {server} 返回错误（状态 {status}），请联系其管理员',
  'tracing-resting': '{host} 上的 {server} 连续多次失败，{seconds} 秒内暂停访问。恢复后页面会重新显示数据。',
  'tracing-jaeger-down': '该集群的链路追踪服务器响应异常，管理员可以查看原因。恢复后会重新显示链路。',
  'tracing-kiali-down': '该集群的服务网格服务器响应异常，管理员可以查看原因。恢复后会重新显示流量图。',
  'tracing-too-large': '链路数据过大，无法一次读取。请缩短时间范围、只选择一个服务或减少链路数量。',
  'tracing-slow': '链路追踪服务器响应过慢，未能搜索全部服务。请只选择一个服务或缩短时间范围。',
  'tracing-many-services': 'Jaeger 中的服务超出一次搜索的范围：已搜索 {count} 个。请选择一个服务单独搜索。',
  'tracing-duration': '耗时必须是整数微秒，最多一天',
  'tracing-duration-order': '最长耗时不能小于最短耗时',
  'tracing-tags': '请按“键=值”输入标签，以空格分隔，含空格的值请加引号，最多 10 个',
  'tracing-limit': '一次可读取 1 到 100 条链路',
  'tracing-id': '链路 ID 由最多 32 个数字和字母 a 至 f 组成',
  'tracing-minutes': '请选择列出的时间范围',
} satisfies Record<keyof typeof en, string>
