import type { en } from './access-log.en.ts'

export const zh = {
  'access-log-no-group':
    '该服务使用独立端口，经由这些端口的访问没有控制器记录。如需查看请求，请使用 Gateway API 或 Ingress 的入口组。',
  'access-log-unknown':
    '无法读取 {controller} 的访问日志。仅支持 Traefik 和 ingress-nginx，请联系管理员提供这样的入口组。',
  'access-log-no-pods':
    '集群中没有运行中的 {controller} 容器组，没有可读取的日志：它可能直接运行在主机上。请联系管理员以容器组方式运行，并保留其 Chart 的名称标签。',
  'access-log-forbidden':
    '集群不允许 Gantry 读取 {controller} 的日志。请联系管理员授予其命名空间中 pods/log 的读取权限。',
  'access-log-slow': '未能及时读取 {controller} 的日志，请重试。',
  'access-log-none-traefik':
    'Traefik 最近一小时没有记录请求。如果确有请求，说明未开启访问日志：请联系管理员在启动参数中添加 --accesslog 和 --accesslog.format=json。',
  'access-log-none-nginx':
    'ingress-nginx 最近一小时没有记录请求。如果确有请求，说明未开启访问日志：请联系管理员从其 ConfigMap 中去掉 disable-access-log 和 access-log-path。',
  'access-log-nameless-traefik':
    'Traefik 记录的请求不含路由名称，无法判断请求属于谁。请联系管理员设置 --accesslog.format=json，并保留 RouterName 和 ServiceName。',
  'access-log-unanswered': 'Traefik 的通用日志格式不含处理请求的服务名称。请联系管理员设置 --accesslog.format=json。',
  'access-log-nameless-nginx':
    'ingress-nginx 使用了无法识别的自定义日志格式，无法判断请求属于谁。请联系管理员从其 ConfigMap 中去掉 log-format-upstream。',

  'access-log-ui': '请求',
  'access-log-ui-about': '自 {since} 起，最新的在前。查询参数的值已隐藏。',
  'access-log-ui-none': '没有请求',
  'access-log-ui-none-memo': '控制器最近一小时没有记录符合条件的请求。',
  'access-log-ui-search': '按域名、路径、客户端或服务搜索',
  'access-log-ui-time': '时间',
  'access-log-ui-request': '请求',
  'access-log-ui-status': '状态码',
  'access-log-ui-duration': '耗时',
  'access-log-ui-client': '客户端',
  'access-log-ui-service': '处理服务',
} satisfies Record<keyof typeof en, string>
