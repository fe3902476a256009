import type { Topic } from '../../http/push.ts'
import { followHostEvents } from './events.watch.ts'
import { followHosts } from './hosts.watch.ts'

const access = { owner: 'environment', by: 'env', permission: 'resource_host_view' } as const

/** From memory, as pods. */
export const topics: Topic[] = [
  { pattern: 'hosts/:env', access, source: (ctx, { env = '' }, tell) => followHosts(ctx, env, tell) },
  { pattern: 'host-events/:env', access, source: (ctx, { env = '' }, tell) => followHostEvents(ctx, env, tell) },
]
