import type { en } from './revisions.en.ts'

export const zh = {
  'stacks-not-now-restarting': '服务 {name} 正在重启，请等待重启完成',
  'stacks-not-now-stopped': '服务 {name} 已停止，实例数为 0。扩容后即重新启动。',
  'stacks-not-now-confirming': '服务 {name} 的升级正在确认，请等待新版本接管',
  'stacks-revision-secrets':
    '服务 {name} 的修订版本 {revision} 包含机密，但当时未保存其取值。请升级服务并填写这些取值。',
  'images-digest-late': '{host} 未及时返回该标签的摘要。各容器组启动时以标签当时所指的镜像为准。',
  'images-digest-untold':
    '{host} 未返回该标签的摘要。各容器组启动时以标签当时所指的镜像为准。选择团队的镜像仓库后，平台会使用其凭据查询。',
  'images-digest-none': '{host} 中没有镜像 {image}，请检查名称和标签',

  'stacks-ui-upgrade-confirming': '新版本正在接管',
  'stacks-ui-asked-edit': '编辑',
  'stacks-ui-asked-return': '恢复修订版本',
  'stacks-ui-unpinned': '标签未固定摘要',
  'stacks-ui-return-exact':
    '将升级到与该修订版本完全一致的状态：配置、机密取值以及镜像摘要，即使标签此后已指向其他镜像。之后需要确认升级或回滚。',
  'stacks-ui-return-digest': '镜像将恢复到摘要 {digest}',
  'stacks-ui-history': '操作历史',
  'stacks-ui-history-none': '此服务还没有操作记录',
  'stacks-ui-history-action': '操作',
  'stacks-ui-history-result': '结果',
  'stacks-ui-remove-claims-kept': '服务的申领及其数据会保留：{claims}。',
  'stacks-ui-remove-claims-too': '同时删除申领及其中的全部数据',
  'stacks-ui-remove-forget': '集群已不存在：仅从平台移除该服务，集群中的内容不作处理',
  'stacks-ui-os': '操作系统',
  'stacks-ui-more-placement': '使用 Linux 或 Windows 主机，对主机的其他要求以文本填写',
} satisfies Record<keyof typeof en, string>
