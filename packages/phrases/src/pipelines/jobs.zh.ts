import type { en } from './jobs.en.ts'

export const zh: Record<keyof typeof en, string> = {
  'pipelines-wait-agent-os': '操作系统不是 {os}',
  'pipelines-wait-agent-executor': '不提供执行器 {executor}',
  'pipelines-handed-too-large': '一次构建的任务最多移交 {limit} GiB 文件，请减少或缩小文件。',
  'pipelines-ui-jobs-ended': '已结束 {ended}/{count}',
  'pipelines-ui-job-attempt': '第 {attempt} 次尝试',
  'pipelines-ui-jobs-as-text': '任务以文本方式编辑：请在上方选择 YAML。',
  'pipelines-retry-too-old': '构建 #{number} 运行时尚无任务概念，无法重试。请改为再次运行。',
  'pipelines-retry-nothing': '构建 #{number} 没有需要重新运行的内容。请选择一个任务，或再次运行整个构建。',
  'pipelines-ui-retry': '重试',
  'pipelines-ui-retry-title': '重试构建 #{number}？',
  'pipelines-ui-retry-text':
    '已成功的部分连同其文件和输出保留不变。其余部分将以相同的提交和定义重新运行，其先前的日志、产物和测试结果会被替换。不含任务的阶段将从第一个步骤重新开始。此后该构建以您的权限进行部署。',
}
