import type { en } from './releases.en.ts'

export const zh: Record<keyof typeof en, string> = {
  'pipelines-ui-step-helm': 'Helm Chart',
  'pipelines-ui-step-blueprint': '蓝图',
  'pipelines-ui-helm-stack-help': '发布所在的应用栈',
  'pipelines-ui-helm-release': '发布',
  'pipelines-ui-helm-release-help': '应用栈中已有该名称的发布时进行升级，否则进行安装。',
  'pipelines-ui-helm-repository': 'Chart 仓库',
  'pipelines-ui-helm-chart': 'Chart',
  'pipelines-ui-helm-version': 'Chart 版本',
  'pipelines-ui-helm-values': '值（YAML）',
  'pipelines-ui-helm-values-help': '与 Chart 的值以及上次部署的值不同之处。{output} 表示输出，{variable} 表示变量。',
  'pipelines-ui-blueprint-stack-help': '升级此应用栈及蓝图中的所有服务。',
  'pipelines-ui-blueprint-which': '产品和版本',
  'pipelines-ui-blueprint-inputs': '输入参数',
  'pipelines-ui-blueprint-inputs-help': '{output} 表示输出，{variable} 表示变量。未填写的机密输入参数保持原值。',
  'pipelines-ui-blueprint-input-add': '添加输入参数',
  'pipelines-ui-blueprint-confirm': '就绪后确认发布',
  'pipelines-lint-chart-repository': '步骤 {step} 使用的 Chart 仓库已不存在或未分配给团队。请选择其他仓库。',
  'pipelines-lint-blueprint': '步骤 {step} 要部署的蓝图已不存在。请选择其他蓝图。',
  'step-helm-repository': '请选择 Chart 仓库。',
  'step-blueprint-required': '请选择产品和版本。',
}
