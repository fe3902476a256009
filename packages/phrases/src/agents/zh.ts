import type { en } from './en.ts'

export const zh = {
  // Refusals of the server to agents
  'agents-attempt-over': '该次尝试已结束：构建已交给其他构建代理，或已经结束',
  'agents-step-foreign': '步骤 {step} 不属于任务 {job}：构建代理只能报告其所持有任务的步骤',
  'agents-event-gap': '事件缺失：应为第 {expected} 个，实际收到第 {got} 个',
  'agents-step-state': '步骤 {step} 不能从 {from} 变为 {to}',
  'agents-log-incomplete': '步骤 {step} 的日志不完整：{stored} / {bytes} 字节',
  'agents-log-gap': '日志有缺失：请从第 {expected} 字节继续，而不是 {got}',
  'agents-lost':
    '构建代理 {agent} 在构建期间失联，已尝试 {attempts} 次。请确认其正在运行且能访问服务器，然后重新启动构建。',
  'agents-lost-again': '构建代理 {agent} 在该次尝试中失联，任务已重新排队',
  'kept-places': '为其他团队保留的槽位数为 0 至 100',
  'agents-no-image-to-deploy':
    '构建没有可部署的镜像。请在部署步骤前添加镜像步骤，或在部署步骤中选择正确的镜像步骤（{step}）。',

  // Registration and settings
  'agents-label': '标签由字母、数字和 - _ . = 组成，首尾须为字母或数字',
  'agents-capacity': '构建代理的槽位数为 1 至 100',
  'agents-credential': '构建代理的凭据由 ga_ 和 43 个随机字符组成。请重新启动代理，由它自行生成。',
  'agents-name-taken': '已存在名为 {name} 的构建代理，请换一个名称。',
  'agents-team-missing': '该团队不存在，请从列表中选择。',
  'agents-environment-missing': '该集群不存在。请从列表中选择。',
  'agents-changed': '{name} 已被他人修改。请重新读取后再修改。',
  'agents-remove-embedded':
    '{name} 是此服务器的一部分，下次启动时会再次出现。请设置 GANTRY_EMBEDDED_AGENT=off 并重启，然后再移除。',
  'agents-renew-embedded': '{name} 是此服务器的一部分，由服务器提供凭据，不需要令牌。',
  'agents-remove-busy': '{name} 正在运行构建：{builds}。请先暂停并等待其结束，或停止这些构建，然后再移除。',
  'agents-clean-old': '{name} 的程序版本过旧，无法自行清理。请先更新该代理，再进行清理。',
  'agents-token-unknown': '该令牌无效。请管理员在“构建代理”中生成新令牌，并用它启动代理。',
  'agents-token-used': '{name} 的令牌已被使用。若是另一台机器，请另行添加代理；若代理丢失了凭据，请管理员生成新令牌。',
  'agents-token-over': '{name} 的令牌已过期。请管理员在“构建代理”中生成新令牌。',
  'agents-file-missing':
    '服务器上缺少构建代理的程序。请运行 npx vite build apps/agent --mode build 构建，或设置 GANTRY_BUILD_AGENT。',

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
  'agents-ui-waits': '所在集群没有空间运行更多任务：{why}。任务会等待；请提高其命名空间的配额，或等其他任务结束。',
  'agents-ui-isolation': '隔离',
  'agents-ui-isolated': '已隔离',
  'agents-ui-bare': '未隔离',
  'agents-ui-bare-memo': '步骤可以看到所在机器的进程和文件，因此该代理只接受管理员的构建',
  'agents-ui-version': '版本',
  'agents-ui-seen': '最近联系',
  'agents-ui-none': '没有构建代理',
  'agents-ui-none-memo':
    '没有构建代理时，所有构建都会等待。请在您的机器上添加一个，或使用服务器内置的代理：设置 GANTRY_EMBEDDED_AGENT=on 后重启。',
  'state-never': '从未连接',
  'agents-ui-kept-places': '为其他团队保留的槽位',
  'agents-ui-kept-places-help':
    '最近一小时内有多个团队使用过的构建代理上，单个团队最多可占用除这些槽位以外的所有槽位。仅有一个团队使用时可占用全部槽位；设为 0 则不保留。不会为腾出槽位而终止正在运行的构建。',
  'agents-protocol': '此服务器使用代理协议版本 {server}，而该代理使用版本 {agent}。请更新较旧的一方。',
} satisfies Record<keyof typeof en, string>
