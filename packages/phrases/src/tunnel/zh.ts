import type { en } from './en.ts'

export const zh = {
  'tunnel-agent-away':
    '自 {since} 起，集群 {server} 没有代理连接到本服务器。请检查集群中是否已应用其清单、命名空间 gantry-system 中的部署 gantry-agent 是否正在运行，并查看其日志',
  'tunnel-token-over': '该集群代理的令牌无效或已失效。请重新获取该集群的清单并在集群中应用',
  'tunnel-other-way': '集群 {name} 通过地址访问，而不是通过代理。请先将其接入方式改为代理',
  'tunnel-file-missing': '代理程序尚未构建。npm start 会构建它，请用它启动服务器',
  'tunnel-two-clusters':
    '另一个集群的代理也在使用本集群的清单进行连接，已被拒绝。请在错误的那个集群中删除命名空间 gantry-system；如果当前连接的正是错误的集群，请获取新的清单并在正确的集群中应用',
} satisfies Record<keyof typeof en, string>
