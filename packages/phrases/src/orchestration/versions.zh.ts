import type { en } from './versions.en.ts'

export const zh: Record<keyof typeof en, string> = {
  'pipelines-ui-run-draft': '运行草稿',
  'pipelines-ui-draft': '草稿',
  'pipelines-ui-draft-not-saved': '未保存的草稿',
  'pipelines-ui-draft-runs': '草稿作为单独的构建运行，流水线不变。',
  'pipelines-ui-definition': '阶段',
  'pipelines-ui-versions-about':
    '阶段或设置的每次修改都是一个版本。可以比较任意两个版本，并将某个版本的阶段作为草稿打开。',
  'pipelines-ui-versions-none': '暂无版本',
  'pipelines-ui-version': '版本',
  'pipelines-ui-version-number': '版本 {revision}',
  'pipelines-ui-version-current': '当前',
  'pipelines-ui-version-is-current': '这是当前生效的版本。',
  'pipelines-ui-version-created': '创建流水线',
  'pipelines-ui-version-changed': '修改内容',
  'pipelines-ui-version-by': '修改人',
  'pipelines-ui-version-at': '时间',
  'pipelines-ui-version-compare': '比较版本',
  'pipelines-ui-version-restore': '将阶段作为草稿打开',
  'pipelines-ui-version-from': '原版本',
  'pipelines-ui-version-to': '新版本',
  'pipelines-ui-version-same': '两个版本没有差异。',
  'pipelines-ui-version-fields': '有差异的字段',
  'pipelines-ui-version-field': '字段',
  'pipelines-ui-version-draft': '版本 {revision}（{by}，{time}）的阶段草稿，保存后生效。',
}
