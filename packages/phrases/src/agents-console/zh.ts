import type { en } from './en.ts'

export const zh = {
  'agents-ui-about': '构建代理领取等待中的构建并执行其步骤。',
  'agents-ui-name': '名称',
  'agents-ui-embedded': '{name}（服务器内置）',
  'agents-ui-state': '状态',
  'agents-ui-running': '构建数 / 位置数',
  'agents-ui-labels': '标签',
  'agents-ui-system': '系统',
  'agents-ui-executors': '执行方式',
  'agents-ui-executor-process': '进程',
  'agents-ui-executor-container': '容器',
  'agents-ui-executor-kubernetes': 'Kubernetes',
  'agents-ui-isolation': '隔离',
  'agents-ui-isolated': '已隔离',
  'agents-ui-bare': '未隔离',
  'agents-ui-bare-memo': '步骤共用本机的进程和文件，因此只接受管理员的构建',
  'agents-ui-version': '版本',
  'agents-ui-seen': '最近响应',
  'agents-ui-none': '没有构建代理',
  'agents-ui-none-memo':
    '没有构建代理时，所有构建都会等待。单机部署可使用服务器内置的代理：设置 GANTRY_EMBEDDED_AGENT=on 后重新启动。',
  'state-never': '从未连接',
} satisfies Record<keyof typeof en, string>
