import type { en } from './caches.en.ts'

/** 缓存步骤。 */
export const zh: Record<keyof typeof en, string> = {
  'pipelines-ui-step-cache': '缓存',
  'pipelines-ui-cache-key': '键',
  'pipelines-ui-cache-key-help': '{hash} 表示文件的内容，{output} 表示输出，{variable} 表示变量。',
  'pipelines-ui-cache-fallbacks': '备用键',
  'pipelines-ui-cache-fallbacks-help': '键本身还没有缓存时，依次尝试以这些文字开头的键。',
  'pipelines-ui-cache-paths': '文件和文件夹',
  'pipelines-ui-cache-paths-help': '相对于工作区的路径。任务成功后保存。',
  'pipelines-ui-caches': '缓存文件',
  'pipelines-ui-caches-search': '键或分支包含',
  'pipelines-ui-caches-scope': '保存自',
  'pipelines-ui-caches-branch': '分支 {name}',
  'pipelines-ui-caches-tag': '标签 {name}',
  'pipelines-ui-caches-request': '合并请求 {name}',
  'pipelines-ui-caches-platform': '平台',
  'pipelines-ui-caches-size': '大小',
  'pipelines-ui-caches-used': '最近使用',
  'pipelines-ui-caches-none': '没有缓存',
  'pipelines-ui-caches-none-memo': '缓存步骤在其任务成功后把文件保存在这里。',
  'pipelines-ui-caches-clear': '清空缓存',
  'pipelines-ui-caches-clear-title': '清空 {name} 的缓存文件？',
  'pipelines-ui-caches-clear-text': '之后的构建从没有缓存开始，并重新保存。',
  'pipelines-cache-gone': '缓存的内容已在此期间被移除',
  'pipelines-cache-too-large':
    '一个团队的缓存最多 {limit} GB。请减少要缓存的文件。管理员可通过 GANTRY_BUILD_CACHE_GB 提高上限。',
  'pipelines-lint-cache-twice': '步骤 {step} 的键与同一任务中的另一个缓存步骤相同，只会保存其中一个。请使用其他键。',
  'cache-key': '请输入不超过 200 个字符的单行键。美元符号只能作为文件、输出或变量占位符的开头。',
  'cache-paths': '请至少输入一个要缓存的文件或文件夹。',
}
