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
  'quotas-unshared-cpu':
    '以下应用栈没有 CPU 份额，可占用任意多的核：{stacks}。请先为其指定份额，再将团队限制为 {hard} 核',
  'quotas-unshared-memory':
    '以下应用栈没有内存份额，可占用任意多的内存：{stacks}。请先为其指定份额，再将团队限制为 {hard} GiB',
  'quotas-below-running-cpu': '团队当前运行的服务占用 {taken} 核，超过了 {hard} 核，请先释放 {free} 核',
  'quotas-below-running-memory': '团队当前运行的服务占用 {taken} GiB 内存，超过了 {hard} GiB，请先释放 {free} GiB',
} satisfies Record<keyof typeof en, string>
