import type { en } from './en.ts'

export const zh = {
  'quotas-below-use-cpu': '团队的应用栈已分配 {taken} 核，超过了 {hard} 核，请先降低其份额',
  'quotas-below-use-memory': '团队的应用栈已分配 {taken} GiB 内存，超过了 {hard} GiB，请先降低其份额',
  'quotas-exceeded-cpu':
    '团队在该集群上最多可用 {hard} 核，已分配 {taken} 核，本次需要 {wanted} 核。请释放 {free} 核或联系管理员增加配额',
  'quotas-exceeded-memory':
    '团队在该集群上最多可用 {hard} GiB 内存，已分配 {taken} GiB，本次需要 {wanted} GiB。请释放 {free} GiB 或联系管理员增加配额',
  'quotas-share-needed-cpu': '团队在该集群上的 CPU 配额为 {hard} 核，因此应用栈需要指定份额，最多剩余 {left} 核',
  'quotas-share-needed-memory': '团队在该集群上的内存配额为 {hard} GiB，因此应用栈需要指定份额，最多剩余 {left} GiB',
} satisfies Record<keyof typeof en, string>
