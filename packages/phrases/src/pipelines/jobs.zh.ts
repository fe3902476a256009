import type { en } from './jobs.en.ts'

export const zh: Record<keyof typeof en, string> = {
  'pipelines-wait-agent-os': '操作系统不是 {os}',
  'pipelines-wait-agent-executor': '不提供执行器 {executor}',
  'pipelines-handed-too-large': '一次构建的任务最多移交 {limit} GiB 文件，请减少或缩小文件。',
  'pipelines-ui-jobs-ended': '已结束 {ended}/{count}',
  'pipelines-ui-job-attempt': '第 {attempt} 次尝试',
  'pipelines-ui-jobs-as-text': '任务以文本方式编辑：请在上方选择 YAML。',
}
