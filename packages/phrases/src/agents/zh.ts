import type { en } from './en.ts'

export const zh = {
  // What the server refuses them
  'agents-attempt-over': '该次尝试已结束：构建已交给其他构建代理，或已经结束',
  'agents-event-gap': '事件缺失：应为第 {expected} 个，实际收到第 {got} 个',
  'agents-step-state': '步骤 {step} 不能从 {from} 变为 {to}',
  'agents-log-incomplete': '步骤 {step} 的日志不完整：{stored} / {bytes} 字节',
  'agents-log-gap': '日志有缺失：请从第 {expected} 字节继续，而不是 {got}',
  'agents-lost':
    '构建代理 {agent} 在构建期间失联，已尝试 {attempts} 次。请确认其正在运行且能访问服务器，然后重新启动构建。',
  'kept-places': '为其他团队保留的槽位数为 0 至 100',
  'agents-no-image-to-deploy':
    '构建没有可部署的镜像。请在部署步骤前添加镜像步骤，或在部署步骤中选择正确的镜像步骤（{step}）。',

  // Their screen
  'agents-ui-about': '构建代理从队列中领取构建并执行其步骤',
  'agents-ui-name': '名称',
  'agents-ui-embedded': '{name}（服务器内置）',
  'agents-ui-state': '状态',
  'agents-ui-running': '构建数 / 槽位数',
  'agents-ui-labels': '标签',
  'agents-ui-system': '操作系统',
  'agents-ui-executors': '执行方式',
  'agents-ui-executor-process': '进程',
  'agents-ui-executor-container': '容器',
  'agents-ui-executor-kubernetes': 'Kubernetes',
  'agents-ui-isolation': '隔离',
  'agents-ui-isolated': '已隔离',
  'agents-ui-bare': '未隔离',
  'agents-ui-bare-memo': '步骤可以看到所在机器的进程和文件，因此该代理只接受管理员的构建',
  'agents-ui-version': '版本',
  'agents-ui-seen': '最近联系',
  'agents-ui-none': '没有构建代理',
  'agents-ui-none-memo':
    '没有构建代理时，所有构建都会等待。单机部署可使用服务器内置的代理：设置 GANTRY_EMBEDDED_AGENT=on 后重启。',
  'state-never': '从未连接',
  'agents-ui-kept-places': '为其他团队保留的槽位',
  'agents-ui-kept-places-help':
    '最近一小时内有多个团队使用过的构建代理上，单个团队最多可占用除这些槽位以外的所有槽位。仅有一个团队使用时可占用全部槽位；设为 0 则不保留。不会为腾出槽位而终止正在运行的构建。',
  'agents-protocol': '此服务器使用代理协议版本 {server}，而该代理使用版本 {agent}。请更新较旧的一方。',
} satisfies Record<keyof typeof en, string>
