import type { Topic } from '../../http/push.ts'
import { followHosts, followPods } from './pods.watch.ts'

/** Changes in clusters are told from each replica's own memory: they are many, and none of them is ours to keep. */
export const topics: Topic[] = [
  {
    pattern: 'pods/:env/all',
    access: { system: 'system_cluster_view' },
    source: (ctx, { env = '' }, tell) => followPods(ctx, env, undefined, tell),
  },
  {
    pattern: 'pods/:env/:teamId',
    access: { team: 'teamId', permission: 'resource_pod_view' },
    source: (ctx, { env = '', teamId }, tell) => followPods(ctx, env, Number(teamId), tell),
  },
  {
    pattern: 'hosts/:env',
    access: { owner: 'environment', by: 'env', permission: 'resource_host_view' },
    source: (ctx, { env = '' }, tell) => followHosts(ctx, env, tell),
  },
]
