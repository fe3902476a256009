import type { en } from './en.ts'

export const zh = {
  // Refusals
  'quotas-below-use-cpu': '团队的应用栈已分配 {taken} 核，超过了 {hard} 核，请先降低其份额',
  'quotas-below-use-memory': '团队的应用栈已分配 {taken} GiB 内存，超过了 {hard} GiB，请先降低其份额',
  'quotas-exceeded-cpu':
    '团队在该集群上的配额为 {hard} 核，已分配 {taken} 核，本次需要 {wanted} 核。请释放 {free} 核，或联系管理员提高配额。',
  'quotas-exceeded-memory':
    '团队在该集群上的内存配额为 {hard} GiB，已分配 {taken} GiB，本次需要 {wanted} GiB。请释放 {free} GiB，或联系管理员提高配额。',
  'quotas-share-needed-cpu': '团队在该集群上的 CPU 配额为 {hard} 核，因此须为应用栈指定份额，最多剩余 {left} 核',
  'quotas-share-needed-memory': '团队在该集群上的内存配额为 {hard} GiB，因此须为应用栈指定份额，最多剩余 {left} GiB',
  'quotas-unshared-cpu':
    '以下应用栈没有 CPU 份额，可占用任意多的核：{stacks}。请先为其指定份额，再将团队限制为 {hard} 核。',
  'quotas-unshared-memory':
    '以下应用栈没有内存份额，可占用任意多的内存：{stacks}。请先为其指定份额，再将团队限制为 {hard} GiB。',
  'quotas-below-running-cpu': '团队当前占用 {taken} 核，超过了 {hard} 核，请先释放 {free} 核',
  'quotas-below-running-memory': '团队当前占用 {taken} GiB 内存，超过了 {hard} GiB，请先释放 {free} GiB',

  // Screens
  'quotas-ui-quotas': '配额',
  'quotas-ui-about': '团队在各集群上的配额、已分配给应用栈的份额以及实际用量',
  'quotas-ui-cluster-about': '各团队在该集群上的配额、已分配给应用栈的份额以及实际用量',
  'quotas-ui-search': '按团队搜索',
  'quotas-ui-cluster': '集群',
  'quotas-ui-used': '已用 {used}',
  'quotas-ui-used-unknown': '用量暂时未知',
  'quotas-ui-given': '已分配 {given}',
  'quotas-ui-of': '共 {total} {unit}（{percent}%）',
  'quotas-ui-unlimited': '不限（{unit}）',
  'quotas-ui-key-used': '实际用量',
  'quotas-ui-key-given': '已分配给应用栈',
  'quotas-ui-key-free': '空闲',
  'quotas-ui-empty': '留空表示不限制',
  'quotas-ui-none': '没有集群',
  'quotas-ui-none-memo': '管理员为团队分配集群后，集群及其配额会显示在这里',
  'quotas-ui-namespace': '命名空间',
  'quotas-ui-stack': '应用栈',
  'quotas-ui-namespaces': '团队的命名空间',
  'quotas-ui-namespaces-about': '每个应用栈都有独立的命名空间，集群按应用栈的份额限制其用量',
  'quotas-ui-namespaces-none': '没有命名空间',
  'quotas-ui-namespaces-none-memo': '团队在该集群上还没有应用栈',
} satisfies Record<keyof typeof en, string>
