import type { en } from './terminals.en.ts'

export const zh = {
  'pipelines-terminal-not-begun': '该任务尚未开始。请在其步骤运行时打开终端。',
  'pipelines-terminal-no-script':
    '该任务目前没有脚本步骤在运行。其他步骤可能持有脚本不应看到的凭据，因此终端只能在脚本步骤中打开。请在脚本步骤运行时重试。',
  'pipelines-terminal-ended':
    '该任务已结束，工作区已清除：只有失败的任务会保留工作区。请重新运行任务，并在步骤运行时打开终端。',
  'pipelines-terminal-not-kept':
    '该任务已失败，工作区已清除。请为任务或其所在阶段开启“为重试保留工作区”：下次失败后，工作区会留在构建代理上，默认保留 24 小时。',
  'pipelines-terminal-agent-gone': '运行该任务的构建代理已被移除，任务的文件也随之清除。请重新运行任务。',
  'pipelines-terminal-agent-offline': '构建代理 {agent} 已离线。请等待其重新连接，或在其他构建代理上重新运行任务。',
  'pipelines-terminal-not-isolated':
    '构建代理 {agent} 运行步骤时没有隔离，终端会触及其机器上的一切。请在有隔离的构建代理上运行任务。',
  'pipelines-terminal-pod-gone':
    '该任务已失败，其文件已随 Pod 一起清除：在 Kubernetes 中运行的任务不保留工作区。请重新运行任务并在步骤运行时打开终端，或让任务以进程或容器方式在构建代理的机器上运行。',
  'pipelines-terminal-agent-silent':
    '构建代理 {agent} 在 20 秒内未打开终端。请重试；如果再次出现，请联系管理员检查该构建代理。',
  'pipelines-terminal-agent-lost': '与构建代理 {agent} 的连接已断开。请在其重新连接后重试。',
  'pipelines-terminal-time-over': '终端打开 {minutes} 分钟后自动关闭。如需继续，请重新打开。',
  'pipelines-ui-terminal': '终端',
  'pipelines-ui-terminal-about':
    '在正在运行的步骤中，或在失败任务保留的工作区中打开终端。终端能看到步骤所能看到的一切，最迟在 {minutes} 分钟后关闭。审计记录会注明是谁打开的。',
  'pipelines-ui-terminal-open': '打开终端',
  'pipelines-ui-terminal-open-in': '在 {name} 中打开终端',
  'pipelines-ui-terminal-in': '{name} 的终端',
  'pipelines-ui-terminal-left': '{time}后关闭',
  'pipelines-ui-terminal-close': '关闭终端',
} satisfies Record<keyof typeof en, string>
