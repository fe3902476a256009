import type { en } from './lint.en.ts'

export const zh: Record<keyof typeof en, string> = {
  'pipelines-cannot-run': '{name} 无法运行。{problems}',
  'pipelines-lint-no-agent': '此团队没有可用的构建代理，构建会一直等待。请让管理员添加一个。',
  'pipelines-lint-agent-os': '没有运行 {os} 的构建代理，此处会一直等待。请添加这样的代理，或选择其他操作系统。',
  'pipelines-lint-agent-executor':
    '没有 {os} 上的构建代理提供执行器 {executor}，此处会一直等待。请添加这样的代理，或选择其他执行器。',
  'pipelines-lint-agent-labels':
    '没有构建代理同时具有标签 {labels}，此处会一直等待。请给代理添加标签，或在此处或设置中减少要求。',
  'pipelines-lint-agent-image':
    '构建镜像 {image} 只能在集群 {clusters} 中运行，而能运行此任务的构建代理都不在其中，因此将会等待。请选择其他镜像，或联系管理员解除限制，或为代理指定所在集群。',
  'pipelines-lint-agent-old': '所有能运行步骤 {step} 的构建代理版本都过旧，因此将会等待。请联系管理员更新其中一个。',
  'pipelines-lint-parameter': '流水线没有参数 {name}。请在设置中添加，或改用其他参数。',
  'pipelines-lint-output-several': '多个任务都写出 {name}，以最后一个为准。请指明任务，例如 {long}。',
  'pipelines-lint-output': '前面没有名为 {step} 的步骤写出输出，因此 {name} 为空。请使用排在此步骤之前的脚本步骤。',
  'pipelines-lint-registry': '步骤 {step} 要推送到的镜像仓库已不存在或团队无权使用。请选择其他镜像仓库。',
  'pipelines-lint-stack': '步骤 {step} 要部署到的应用栈已不存在。请选择其他应用栈。',
  'pipelines-lint-service': '应用栈 {stack} 中没有服务 {service}，步骤 {step} 会失败。请先创建服务，或让该步骤创建它。',
  'pipelines-lint-image-step': '步骤 {step} 要部署 {image} 的镜像，但前面没有同名的镜像步骤。请选择其他步骤。',
  'pipelines-lint-job-image': '任务 {job} 在容器中运行，但没有构建镜像，请选择一个。',
  'pipelines-lint-job-service': '任务 {job} 的服务 {service} 所用的构建镜像已不存在或属于其他团队，请另选一个。',
  'pipelines-ui-lint-found': '{count} 处目前无法运行',
}
